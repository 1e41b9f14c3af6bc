#!/usr/bin/env bash
# Writes the page with its engine as a static site: put the folder on any web host.
#
#   ./site.sh OUT          OUT must be new, empty, or an earlier site
#   ./site.sh OUT URL      URL is where it will be; shared links then have a preview picture
#
# ENGINES=simd builds only one of the files of ./wasm.sh, for a quick look.
set -euo pipefail
cd "$(dirname "$0")"
if [ $# -lt 1 ] || [ $# -gt 2 ] || [ "${1#-}" != "$1" ]; then
  sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
./wasm.sh ${ENGINES-}
cargo run --quiet -p ricochet-wasm --example site -- "$@"
echo "$1: $(find "$1" -type f | wc -l) files, $(du -sh "$1" | cut -f1)"
