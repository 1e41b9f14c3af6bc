#!/usr/bin/env bash
# Tests a million candidates in 64 parts, one per core, and merges the puzzles that match.
set -euo pipefail
parts=${PARTS:-64}
candidates=${CANDIDATES:-1000000}
seq "$parts" | parallel --joblog parts.log --resume-failed \
  ricochet --quiet generate --seed 1 --candidates "$candidates" --length 6..9 --threads 1 \
  --shard "{}/$parts" --output puzzle-parts
ricochet merge puzzle-parts --output puzzles.txt
