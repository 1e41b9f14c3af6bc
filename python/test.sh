#!/usr/bin/env bash
# The tests of the Python package, in a virtual environment of their own under target/python.
#
#   python/test.sh          builds the package and runs its tests and the type checker
#   python/test.sh --long   also the tests that take minutes, among them those with Ray
#
# Skips with a line where Python 3.10, pip or the network is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3}
venv=target/python/venv
long=()
if [ "${1-}" = --long ]; then long=(--long); fi

if ! "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
  echo "skipped: Python 3.10 or later with venv and pip is missing"
  exit 0
fi
if [ ! -x "$venv/bin/python" ]; then
  "$python" -m venv "$venv"
fi
requirements=(-r python/requirements.txt)
if [ ${#long[@]} -gt 0 ]; then requirements+=(-r python/requirements-long.txt); fi
if ! "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "${requirements[@]}"; then
  echo "skipped: the packages of python/requirements.txt cannot be installed"
  exit 0
fi

if [ ${#long[@]} -gt 0 ]; then
  # Fast Downward; the library that it is made for is not needed.
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps up-fast-downward==1.0.0
fi

# The tests take the quick build, with optimised solvers; --long installs the wheel as people do.
if [ ${#long[@]} -gt 0 ]; then
  fresh=$(mktemp -d target/python/fresh.XXXX)
  trap 'rm -rf "$fresh"' EXIT
  "$python" -m venv "$fresh"
  "$fresh/bin/python" -m pip install --quiet --disable-pip-version-check .
  (cd "$fresh" && bin/python -c '
import ricochet_engine
assert ricochet_engine.solve("4x3..0012.R31").length == 3')
fi
VIRTUAL_ENV=$PWD/$venv "$venv/bin/maturin" develop --quiet --profile dev
cargo build --quiet -p ricochet-cli
"$venv/bin/python" -m mypy
RICOCHET=$PWD/target/debug/ricochet "$venv/bin/python" -m pytest "${long[@]}"
