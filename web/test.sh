#!/usr/bin/env bash
# Checks the page: types, modules without a browser, everything in a real Chromium against the
# program's own server, and the engine for browsers, in Node and as a static site without a network.
# Installs what it needs if it can; otherwise it prints what was skipped.
#
# RICOCHET_LONG=1 runs whole corpora and all of the page's tests on the static site.
set -euo pipefail
cd "$(dirname "$0")"

skip() {
  echo "skipped: $*"
  exit 0
}

command -v node >/dev/null 2>&1 || skip "the page's tests need Node 20 or later"
command -v npm >/dev/null 2>&1 || skip "the page's tests need npm"
if [ ! -d node_modules ] || [ package-lock.json -nt node_modules ]; then
  npm ci --no-audit --no-fund --silent || skip "npm could not install the checkers"
  touch node_modules
fi

echo "types"
npm run --silent types

chromium=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
if [ -z "$chromium" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "installing chromium"
  (apt-get update && apt-get install -y --no-install-recommends chromium) >/dev/null 2>&1 || true
  chromium=$(command -v chromium || true)
fi

# The proxy of docs/serve, a reader of QR codes and Firefox; without them their tests are skipped.
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  { command -v nginx && command -v zbarimg && command -v firefox-esr; } >/dev/null 2>&1 ||
    apt-get install -y --no-install-recommends nginx-light zbar-tools firefox-esr >/dev/null 2>&1 || true
fi

if [ -z "$chromium" ]; then
  node --test --test-concurrency=1 tests/unit/*.test.mjs
  skip "no Chromium, so nothing was tested in a browser (CHROMIUM names one)"
fi

echo "tests in $chromium"
cargo build --quiet -p ricochet-cli
CHROMIUM=$chromium npm run --silent test

echo "the engine for browsers"
../wasm.sh --check || skip "without a compiler for WebAssembly there is no static site to test"
site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT
# The other files take minutes more of compiling.
if [ "${RICOCHET_LONG-}" != 1 ]; then export ENGINES=simd; fi
../site.sh "$site/out"
echo "the server with the engine that was built"
CHROMIUM=$chromium node --test tests/site/embedded.test.mjs
echo "the engine in Node, the static site without a network"
part="tests/site/wasm.test.mjs tests/site/offline.test.mjs tests/page/play.test.mjs"
if [ "${RICOCHET_LONG-}" = 1 ]; then
  for file in page/accessibility page/analyse page/edit page/page page/play-kinds page/training rooms/table; do part+=" tests/$file.test.mjs"; done
fi
CHROMIUM=$chromium RICOCHET_SITE=$site/out node --test --test-concurrency=1 $part
