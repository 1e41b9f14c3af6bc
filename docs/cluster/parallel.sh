#!/usr/bin/env bash
# The census of one layout in 4 parts at once, put together at the end.
set -euo pipefail
parts=${PARTS:-4}
seq "$parts" | parallel --joblog census.log --resume-failed \
  ricochet census --layouts "'1A 4B 3B 2B'" --shard "{}/$parts" --output "census/{}"
ricochet census --merge census/* --output all
