#!/usr/bin/env bash
# Everything that has to hold before a commit: format, lints, tests, doctests, documentation, the page.
#
#   ./test.sh          what CI runs
#   ./test.sh --long   the same, and the tests that take minutes each (in an optimised build)
#
# Installs what it needs where it can. What the machine cannot run is skipped, and a line says so.
set -euo pipefail
cd "$(dirname "$0")"

long=no
case "${1-}" in
  "") ;;
  --long) long=yes ;;
  *)
    sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac

step() { printf '\n== %s\n' "$*"; }

step "format"
cargo fmt --all --check

step "no conflict markers of a merge"
if grep -rnE '^(<<<<<<<|>>>>>>>) ' --exclude-dir=target --exclude-dir=node_modules --exclude-dir=.git .; then
  exit 1
fi

step "clippy, warnings are errors"
cargo clippy --workspace --all-targets --quiet -- -D warnings

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
if cargo nextest --version >/dev/null 2>&1; then
  cargo nextest run --workspace --no-fail-fast --status-level fail
else
  cargo test --workspace --no-fail-fast --lib --bins --tests --examples
fi

step "doctests"
cargo test --workspace --doc --quiet

step "documentation, warnings are errors"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet

# Whole corpora and all tests of the page for the static site as well.
if [ "$long" = yes ]; then export RICOCHET_LONG=1; fi
for part in web/test.sh python/test.sh; do
  if [ -x "$part" ]; then
    step "$part"
    if [ "$part" = python/test.sh ] && [ "$long" = yes ]; then
      "$part" --long
    else
      "$part"
    fi
  fi
done

if [ "$long" = yes ]; then
  # Not tests by themselves: `child` is started by others, `make_the_data_files` writes into the
  # source tree.
  step "long tests"
  if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --release --workspace --no-fail-fast --run-ignored only --test-threads 1 \
      -E 'not (test(/child$/) or test(make_the_data_files))'
  else
    cargo test --release --workspace --no-fail-fast --tests -- --ignored --test-threads 1 \
      --skip child --skip make_the_data_files
  fi

  step "20 times kill -9"
  KILLS=20 cargo test --release -p ricochet-cli --test cli -- kill_9 --nocapture
fi

step "all is well"
