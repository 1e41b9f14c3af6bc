#!/usr/bin/env bash
# Builds the engine for browsers into web/public/wasm/, where `ricochet serve` and ./site.sh find it.
#
#   ./wasm.sh             all three files
#   ./wasm.sh simd        only the engine with 128-bit vectors
#   ./wasm.sh portable    only the engine for browsers without them
#   ./wasm.sh pictures    only what draws PNG, GIF, PDF and captions, which the engines leave to it
#   ./wasm.sh --check     only says whether it could be built (status 3: it cannot)
#
# Takes rustup's target wasm32-unknown-unknown, or Debian's packages rustc-web, cargo-web,
# rust-web-src and lld; installs what is missing where it can, and otherwise says what is missing.
set -euo pipefail
cd "$(dirname "$0")"

target=wasm32-unknown-unknown
packages="rustc-web cargo-web rust-web-src lld-19"
least=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)

# The standard library for the target, beside the compiler that builds everything else.
has_target() {
  local root
  root=$(rustc --print sysroot 2>/dev/null) && [ -d "$root/lib/rustlib/$target/lib" ]
}

# Debian's compiler with the sources of the standard library and a linker.
linker() { ls /usr/bin/wasm-ld /usr/bin/wasm-ld-* 2>/dev/null | sort -V | tail -1; }
has_debian() {
  [ -x /usr/bin/rustc ] && [ -x /usr/bin/cargo ] && [ -n "$(linker)" ] || return 1
  [ -d "$(/usr/bin/rustc --print sysroot)/lib/rustlib/src/rust/library" ] || return 1
  local version
  version=$(/usr/bin/rustc --version | cut -d' ' -f2)
  [ "$(printf '%s\n' "$least" "$version" | sort -V | head -1)" = "$least" ]
}

find_toolchain() {
  has_target && toolchain=rustup && return
  has_debian && toolchain=debian && return
  if command -v rustup >/dev/null 2>&1; then
    timeout 120 rustup target add "$target" >/dev/null 2>&1 || true
    has_target && toolchain=rustup && return
  fi
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing $packages"
    (apt-get update && apt-get install -y --no-install-recommends $packages) >/dev/null 2>&1 || true
    has_debian && toolchain=debian && return
  fi
  echo "no compiler for WebAssembly: run 'rustup target add $target', or install $packages (Debian; Rust $least or later)" >&2
  exit 3
}

# --initial-memory is FIRST_MIB in web/public/engine/wasm.js.
build() {
  local flags="-C link-arg=--import-memory -C link-arg=--initial-memory=4194304 $1"
  local arguments="rustc --quiet -p ricochet-wasm $3 --crate-type cdylib --profile wasm --target $target --target-dir target/wasm"
  if [ "$toolchain" = rustup ]; then
    RUSTFLAGS=$flags cargo $arguments
  else
    # Debian has no standard library for this target: it is built from source, which a stable
    # compiler does only when told that it is a bootstrap.
    RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc RUSTFLAGS="-C linker=$(linker) $flags" \
      /usr/bin/cargo $arguments -Zbuild-std=std,panic_abort
  fi
  cp "target/wasm/$target/wasm/ricochet_wasm.wasm" "web/public/wasm/$2"
}

files="simd portable pictures"
case "${1-}" in
  "") ;;
  simd | portable | pictures) files=$1 ;;
  --check)
    find_toolchain
    echo "$toolchain"
    exit 0
    ;;
  *)
    sed -n '2,11s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac

find_toolchain
rm -f web/public/wasm/*.wasm web/public/wasm/engine.json
json=""
for file in $files; do
  case $file in
    simd) build "-C target-feature=+simd128" ricochet.wasm --no-default-features && json+=', "simd": "ricochet.wasm"' ;;
    portable) build "" ricochet-portable.wasm --no-default-features && json+=', "portable": "ricochet-portable.wasm"' ;;
    pictures) build "" ricochet-pictures.wasm "" && json+=', "pictures": "ricochet-pictures.wasm"' ;;
  esac
done
# Written last: the page looks for nothing that this file does not name.
echo "{${json#, }}" >web/public/wasm/engine.json
ls -l web/public/wasm/*.wasm
