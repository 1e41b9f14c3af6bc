#!/usr/bin/env bash
# Everything that has to hold before a commit: format, lints, tests, doctests, documentation.
set -euo pipefail
cd "$(dirname "$0")"

step() { printf '\n== %s\n' "$*"; }

step "format"
cargo fmt --all --check

step "clippy, warnings are errors"
cargo clippy --workspace --all-targets --quiet -- -D warnings

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

step "all is well"
