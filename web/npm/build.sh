#!/usr/bin/env bash
# Collects the npm package from the page's modules, its types and the engine that ./wasm.sh built.
#
#   web/npm/build.sh OUT    OUT is replaced; then `npm pack OUT` or `npm publish OUT`
set -euo pipefail
if [ $# -ne 1 ]; then
  sed -n '2,4s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
out=$(realpath -m "$1")
cd "$(dirname "$0")/../.."
if [ -e "$out" ] && [ ! -e "$out/node-worker.js" ]; then
  echo "$out is not an earlier package" >&2
  exit 2
fi
rm -rf "$out"
mkdir -p "$out/board" "$out/engine" "$out/wasm"
cp web/npm/{*.js,*.d.ts,README.md,example.html} web/types/api.d.ts LICENSE-* crates/ricochet-draw/assets/DejaVuSans-LICENSE.txt "$out"
cp web/public/board/rules.js "$out/board"
cp web/public/engine/{errors,manifest,parallel,wasm,worker,worker-script}.js "$out/engine"
cp web/public/wasm/*.wasm "$out/wasm"
# The version and the address are those of the workspace.
node - web/npm/package.json "$out/package.json" <<'EOF'
const fs = require('fs');
const field = (name) => new RegExp(`^${name} = "(.*)"`, 'm').exec(fs.readFileSync('Cargo.toml', 'utf8'))[1];
const meta = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
meta.version = field('version');
meta.repository = { type: 'git', url: `git+${field('repository')}.git` };
fs.writeFileSync(process.argv[3], `${JSON.stringify(meta, null, 2)}\n`);
EOF
