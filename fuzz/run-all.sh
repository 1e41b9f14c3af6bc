#!/usr/bin/env bash
# Fuzzes every target in turn on one core: fuzz/run-all.sh [seconds a target, 600 if not given].
# Needs a nightly toolchain and cargo-fuzz. What is found lands in fuzz/artifacts.
set -euo pipefail
cd "$(dirname "$0")"
for target in $(cargo +nightly fuzz list); do
  # New inputs go to a scratch corpus: only seeds and findings are kept in corpus/.
  mkdir -p "target/scratch/$target"
  nice -n 10 cargo +nightly fuzz run -O "$target" "target/scratch/$target" "corpus/$target" -- \
    -max_total_time="${1:-600}" -rss_limit_mb=2048 -timeout=10 -max_len=8192
done
