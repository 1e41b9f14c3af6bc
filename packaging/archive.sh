#!/usr/bin/env bash
# Builds the program for a target, with completions and manual pages, and packs an archive.
#
#   packaging/archive.sh TARGET OUT    e.g. x86_64-unknown-linux-musl out
#
# PROFILE=release builds faster than the profile `dist` of published binaries. The target has to be one
# whose programs run on this machine, and ./wasm.sh has to have run: the program contains the engine.
set -euo pipefail
if [ $# -ne 2 ]; then
  sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
target=$1
out=$(mkdir -p "$2" && cd "$2" && pwd)
cd "$(dirname "$0")/.."
for file in simd portable pictures; do
  grep -q "\"$file\"" web/public/wasm/engine.json 2>/dev/null || { echo "run ./wasm.sh first" >&2; exit 1; }
done

# Without it, the program would need a library that not every Windows has.
case $target in *windows-msvc) export RUSTFLAGS="${RUSTFLAGS-} -C target-feature=+crt-static" ;; esac
profile=${PROFILE:-dist}
folder=target
arguments=(--locked --profile "$profile" -p ricochet-cli)
# Without --target, cargo can use what is built already.
if [ "$target" != "$(rustc -vV | sed -n 's/^host: //p')" ]; then
  folder+=/$target
  arguments+=(--target "$target")
fi
cargo build "${arguments[@]}"
exe=ricochet
case $target in *windows*) exe=ricochet.exe ;; esac
program=$folder/${profile/#dev/debug}/$exe

# cargo-deb takes these folders, too.
made=target/packaging
rm -rf "$made"
mkdir -p "$made/complete" "$made/man"
cp "$program" "$made"
for shell in bash zsh fish powershell elvish; do
  "$program" completions $shell >"$made/complete/ricochet.$shell"
done
mv "$made/complete/ricochet.zsh" "$made/complete/_ricochet"
mv "$made/complete/ricochet.powershell" "$made/complete/_ricochet.ps1"
"$program" man --output "$made/man"

name=ricochet-$(packaging/version.sh)-$target
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir "$stage/$name"
cp -r "$made"/* README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE crates/ricochet-draw/assets/DejaVuSans-LICENSE.txt "$stage/$name"
case $target in
  *windows*) (cd "$stage" && 7z a -bso0 "$out/$name.zip" "$name") ;;
  *) tar -C "$stage" --owner=0 --group=0 -czf "$out/$name.tar.gz" "$name" 2>/dev/null ||
    tar -C "$stage" -czf "$out/$name.tar.gz" "$name" ;; # the tar of macOS
esac
ls -l "$out"
