#!/usr/bin/env bash
# Runs everything that has to pass before a commit: format, lints, tests, documentation, the page, Python.
#
#   ./test.sh           what CI runs
#   ./test.sh --quick   the inner loop: format, clippy, unit tests; no browser, no Python
#   ./test.sh --long    what CI runs, then the tests that take minutes each, in an optimised build
#
# Installs what it needs if it can. Whatever this machine cannot run is skipped with a message.
set -euo pipefail
cd "$(dirname "$0")"

mode=${1-}
case "$mode" in
  "" | --quick | --long) ;;
  *)
    sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac

# Each step's heading says how long the run has taken so far.
step() { printf '\n== %s (%d:%02d)\n' "$*" $((SECONDS / 60)) $((SECONDS % 60)); }

if cargo nextest --version >/dev/null 2>&1; then nextest=yes; else nextest=no; fi

step "format"
cargo fmt --all --check

step "no merge conflict markers"
if git grep -nE '^(<<<<<<<|>>>>>>>) ' 2>/dev/null; then exit 1; fi

step "clippy, warnings are errors"
cargo clippy --workspace --all-targets --quiet -- -D warnings

if [ "$mode" = --quick ]; then
  step "unit tests"
  if [ $nextest = yes ]; then
    cargo nextest run --workspace --lib --bins --no-fail-fast --status-level fail
  else
    cargo test --workspace --lib --bins --no-fail-fast --quiet
  fi
  step "the quick checks pass"
  exit
fi

step "the libraries without their default features"
cargo check --quiet -p ricochet-core --no-default-features
cargo check --quiet -p ricochet-draw --no-default-features

step "fuzz targets compile"
if command -v c++ >/dev/null 2>&1; then
  cargo check --quiet --manifest-path fuzz/Cargo.toml --target-dir target/fuzz
else
  echo "skipped: libFuzzer needs a C++ compiler"
fi

step "tests"
if [ $nextest = yes ]; then
  cargo nextest run --workspace --no-fail-fast --status-level fail
else
  cargo test --workspace --no-fail-fast --lib --bins --tests --examples
fi

step "doctests"
cargo test --workspace --doc --quiet

step "documentation, warnings are errors"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet

step "packaging metadata, workflows"
packaging/check.sh metadata workflows

# With --long, whole corpora and every browser test of the static site.
if [ "$mode" = --long ]; then export RICOCHET_LONG=1; fi
step "the page"
web/test.sh

step "the Python package"
python/test.sh $mode

if [ "$mode" = --long ]; then
  # `child` is started by other tests, and `make_the_data_files` writes into the source tree.
  step "long tests"
  if [ $nextest = yes ]; then
    cargo nextest run --release --workspace --no-fail-fast --run-ignored only --test-threads 1 \
      -E 'not (test(/child$/) or test(make_the_data_files))'
  else
    cargo test --release --workspace --no-fail-fast --tests -- --ignored --test-threads 1 \
      --skip child --skip make_the_data_files
  fi

  step "20 times kill -9"
  KILLS=20 cargo test --release -p ricochet-cli --test cli -- kill_9 --nocapture

  step "the MCP inspector"
  packaging/inspector.sh target/release/ricochet

  step "packages"
  PROFILE=release packaging/check.sh
fi

step "all checks pass"
