#!/usr/bin/env bash
# Builds the documentation site: the book, with the playable page in its folder `play`, and the reference of
# the Python package in `python/reference`.
#
#   docs/book/build.sh OUT [URL]    URL is where the site will be
#
# Needs mdbook, Node and a Python with the package and python/requirements.txt, which PYTHON names; the
# default is what python/test.sh makes.
set -euo pipefail
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
  sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
out=$(mkdir -p "$1" && cd "$1" && pwd)
url=${2-}
url=${url%/}
cd "$(dirname "$0")/../.."
python=${PYTHON:-target/python/venv/bin/python}
if ! "$python" -c 'import furo, ricochet_engine, sphinx' 2>/dev/null; then
  echo "$python lacks ricochet_engine, sphinx or furo: run python/test.sh, or set PYTHON" >&2
  exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The page first: it takes longest, and can fail for want of a compiler.
if [ ! -e web/public/wasm/engine.json ]; then ./wasm.sh; fi
cargo run --quiet --locked -p ricochet-wasm --example site -- "$work/play" ${url:+"$url/play/"}

cp docs/book/book.toml docs/book/book.css "$work"
node docs/book/book.mjs prepare docs/book/SUMMARY.md "$work/src"
if [ -n "$url" ]; then
  MDBOOK_OUTPUT__HTML__SITE_URL=/$(cut -d/ -f4- <<<"$url/")
  export MDBOOK_OUTPUT__HTML__SITE_URL
fi
mdbook build --dest-dir "$work/out" "$work"
mv "$work/play" "$work/out/play"
"$python" -m sphinx -q -W -d "$work/doctrees" python/docs/reference "$work/out/python/reference"
node docs/book/book.mjs check "$work/out"
rm -rf "$out"
mv "$work/out" "$out"
echo "$1: $(find "$out" -type f | wc -l) files, $(du -sh "$out" | cut -f1)"
