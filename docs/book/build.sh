#!/usr/bin/env bash
# Builds the documentation site: the book, with the playable page in its folder `play`.
#
#   docs/book/build.sh OUT [URL]    URL is where the site will be; needs mdbook and Node
set -euo pipefail
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
  sed -n '2,4s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
out=$(mkdir -p "$1" && cd "$1" && pwd)
url=${2-}
url=${url%/}
cd "$(dirname "$0")/../.."
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
node docs/book/book.mjs check "$work/out"
rm -rf "$out"
mv "$work/out" "$out"
echo "$1: $(find "$out" -type f | wc -l) files, $(du -sh "$out" | cut -f1)"
