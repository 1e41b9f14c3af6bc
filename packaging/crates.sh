#!/usr/bin/env bash
# Runs a command of cargo while the crates contain what they need from outside their folders: the
# licences, the page and the corpora.
#
#   packaging/crates.sh publish --workspace --locked --dry-run
#   packaging/crates.sh package --list -p ricochet-server
#
# Cargo would refuse to pack these copies, since git ignores them. So it is told not to look, and this
# script refuses to publish what is not committed.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# -eq 0 ]; then
  sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
case $1 in
  publish | package)
    if [ "$1" = publish ] && [[ " $* " != *" --dry-run "* ]] && [ -n "$(git status --porcelain)" ]; then
      git status --short >&2
      echo "error: commit this before publishing" >&2
      exit 1
    fi
    set -- "$@" --allow-dirty
    ;;
esac

remove() { rm -rf crates/*/LICENSE-* crates/ricochet-server/page crates/ricochet-lab/corpus; }
trap remove EXIT
remove
for crate in crates/*; do
  grep -q '^publish = false' "$crate/Cargo.toml" || cp LICENSE-* "$crate"
done
cp -r web/public crates/ricochet-server/page
# What ./wasm.sh built is compiled code.
rm -r crates/ricochet-server/page/wasm
cp -r corpus crates/ricochet-lab/corpus
cargo "$@"
