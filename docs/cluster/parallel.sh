#!/usr/bin/env bash
# Generates a million puzzles in 64 parts, one per core, and merges them.
set -euo pipefail
parts=${PARTS:-64}
count=${COUNT:-1000000}
seq "$parts" | parallel --joblog parts.log --resume-failed \
  ricochet --quiet generate --seed 1 --count "$count" --length 6..9 --threads 1 \
  --shard "{}/$parts" --output puzzle-parts
ricochet merge puzzle-parts --output puzzles.txt
