#!/usr/bin/env bash
# Checks the page: types, modules without a browser, and everything in a real Chromium against the
# program's own server. Installs what it needs where it can; otherwise a line says what was skipped.
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

without_a_browser="tests/modules.test.mjs tests/rules.test.mjs tests/look.test.mjs tests/tree.test.mjs tests/draft.test.mjs tests/referee.test.mjs"
if [ -z "$chromium" ]; then
  node --test --test-concurrency=1 $without_a_browser
  skip "no Chromium, so nothing was tested in a browser (CHROMIUM names one)"
fi

echo "tests in $chromium"
cargo build --quiet -p ricochet-cli
CHROMIUM=$chromium npm run --silent test
