#!/usr/bin/env bash
# Packs a Debian package from what packaging/archive.sh has just built: packaging/deb.sh TARGET OUT
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "$2"
cargo deb --no-build --no-strip --locked --target "$1" -p ricochet-cli --output "$2/"
ls -l "$2"/*.deb
