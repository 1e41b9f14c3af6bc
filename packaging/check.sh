#!/usr/bin/env bash
# Builds every package and installs it as a stranger would.
#
#   packaging/check.sh              all parts
#   packaging/check.sh PART...      only these: metadata workflows deny msrv crates archive deb python npm book
#                                   container
#
# Whatever this machine cannot run is skipped with a message; with REQUIRE=1 that is an error.
# PROFILE=release builds faster than the profile `dist` of published packages. TARGET is this machine's
# target with glibc unless given; released programs for Linux have TARGET=x86_64-unknown-linux-musl. The part
# `deb` needs root and debootstrap; DEBIAN=FOLDER keeps the bootstrapped system for the next run.
#
# Output that `grep -q` examines goes to a file first: grep stops reading at the first match, and with
# pipefail the broken pipe of the command before it would count as a failure.
set -euo pipefail
cd "$(dirname "$0")/.."

parts=${*:-metadata workflows deny msrv crates archive deb python npm book container}
record="7650+42+E2302B12+C9"
target=${TARGET:-$(rustc -vV | sed -n 's/^host: //p')}
out=target/packages
scratch=$(mktemp -d)
server=
wheel=
finish() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  rm -rf "$scratch"
}
trap finish EXIT
step() { printf '\n== %s (%d:%02d)\n' "$*" $((SECONDS / 60)) $((SECONDS % 60)); }
fail() { echo "error: $*" >&2; exit 1; }
skip() { if [ "${REQUIRE-}" = 1 ]; then fail "$@"; else echo "skipped: $*"; fi; }
has() { command -v "$1" >/dev/null; }
chromium() { echo "${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}"; }
engine() { grep -q pictures web/public/wasm/engine.json 2>/dev/null || ./wasm.sh; }
build_archive() { # builds it once for `archive` and `deb`
  [ -e "$scratch/archive" ] && return
  engine
  mkdir -p "$out"
  rm -f "$out"/*.tar.gz
  packaging/archive.sh "$target" "$out"
  touch "$scratch/archive"
}

metadata() {
  packaging/version.sh
  # Every crate that is published contains its licences and what its build script embeds.
  for crate in crates/*; do
    grep -q '^publish = false' "$crate/Cargo.toml" && continue
    local name files
    name=$(basename "$crate")
    files=$(packaging/crates.sh package --list -p "$name")
    for file in LICENSE-MIT LICENSE-APACHE README.md; do
      grep -qx "$file" <<<"$files" || fail "$name does not contain $file"
    done
    case $name in
      *-server)
        grep -qx page/index.html <<<"$files" || fail "$name does not contain the page"
        ! grep '\.wasm$' <<<"$files" || fail "$name contains the engine for browsers"
        ;;
      *-lab) grep -qx corpus/official/random.jsonl <<<"$files" || fail "$name does not contain the corpora" ;;
    esac
  done
  # What the schema of the MCP registry requires.
  if has python3; then
    python3 - <<'CHECK' || fail "server.json is not what the MCP registry takes"
import json, re
it = json.load(open("server.json"))
assert it["$schema"].endswith("/2025-12-11/server.schema.json"), "another schema: look what it requires"
assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", it["name"]) and 3 <= len(it["name"]) <= 200
assert 1 <= len(it["description"]) <= 100 and 1 <= len(it["title"]) <= 100 and 1 <= len(it["version"]) <= 255
for package in it["packages"]:
    assert package["registryType"] == "oci" and package["identifier"] and package["transport"] == {"type": "stdio"}
    assert package.get("version") != "latest" and ("runtimeArguments" not in package or package["runtimeHint"])
    for argument in package["runtimeArguments"] + package["packageArguments"]:
        fields = {"named": ["name"], "positional": ["value"]}[argument["type"]]
        assert all(argument[field] for field in fields)
CHECK
  fi
  # The book has a chapter for each page.
  while read -r page; do
    grep -qF "(../${page#docs/})" docs/book/SUMMARY.md || fail "docs/book/SUMMARY.md does not list $page"
  done < <(git ls-files 'docs/*.md' ':!docs/book')
  # The address of the repository is filled in everywhere or nowhere.
  rm -rf "$scratch/filled"
  git ls-files -z --cached --others --exclude-standard | xargs -0 cp -P --parents -t "$(mkdir "$scratch/filled" && echo "$scratch/filled")"
  # Every template finds the files that it names.
  mkdir "$scratch/release"
  for end in {x86_64,aarch64}-{unknown-linux-musl,apple-darwin}.tar.gz x86_64-pc-windows-msvc.zip; do
    echo "$end" >"$scratch/release/ricochet-$(packaging/version.sh)-$end"
  done
  touch "$scratch/release/"{a.deb,a.whl,a.tgz,puzzles.csv.gz}
  packaging/release-files.sh "$scratch/release" "$scratch/manifests" >"$scratch/notes.md"
  grep -q . "$scratch/notes.md" || fail "there are no release notes"
  ! grep -n '@VERSION@\|@SHA256' "$scratch"/manifests/* || fail "the templates have placeholders left"
  (
    cd "$scratch/filled"
    git init -q && git add -A
    packaging/repository.sh jane robots "Jane & Co <jane@example.org>" >/dev/null
    ! git grep -n OWNER/ricochet -- . ':!packaging/repository.sh' || exit 1
    grep -q 'github.com/jane/robots"' Cargo.toml
  ) || fail "packaging/repository.sh leaves placeholders"
}

workflows() {
  if has zizmor; then zizmor --offline --pedantic --quiet .github; else skip "no zizmor"; fi
  if has actionlint; then actionlint; else skip "no actionlint"; fi
}

# Licences, sources and versions of all dependencies, known vulnerabilities, and public interfaces.
deny() {
  if ! has cargo-deny; then
    skip "no cargo-deny"
  else
    cargo deny --all-features --locked check bans licenses sources
    # The database is a git repository at github.com.
    if cargo deny --all-features --locked fetch db; then
      cargo deny --all-features --locked check --disable-fetch advisories
    else
      skip "known vulnerabilities: the database cannot be fetched"
    fi
  fi
  # Against the last release before this commit.
  local last
  if ! last=$(git describe --tags --abbrev=0 --match 'v*' HEAD~ 2>/dev/null); then
    echo "no earlier release has public interfaces to compare with"
  elif has cargo-semver-checks; then
    cargo semver-checks --baseline-rev "$last"
  else
    skip "no cargo-semver-checks"
  fi
}

msrv() {
  local version
  version=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
  if rustup run "$version" true 2>/dev/null || rustup toolchain install "$version" --profile minimal; then
    rustup run "$version" cargo check --workspace --locked --target-dir target/msrv
  else
    skip "no Rust $version"
  fi
}

crates() {
  packaging/crates.sh publish --workspace --locked --dry-run
}

# Starts a server, and asks it for the page and for the record.
ask_server() { # folder for its data, command that runs ricochet
  local data=$1
  shift
  "$@" serve --port 8899 --data "$data" >"$scratch/serve.log" 2>&1 &
  server=$!
  for _ in $(seq 100); do
    curl -sf http://127.0.0.1:8899/healthz >/dev/null && break
    sleep 0.1
  done
  local answer=$scratch/answer url=http://127.0.0.1:8899
  curl -sf -o "$answer" "$url/" && grep -q "Ricochet Robots" "$answer" || fail "no page"
  curl -sf -o "$answer" "$url/wasm/engine.json" && grep -q '"simd"' "$answer" || fail "no engine in the program"
  curl -sf -o "$answer" "$url/api/v1/solve" -H 'content-type: application/json' -d "{\"puzzle\":\"$record\"}" &&
    grep -q '"length":25' "$answer" || fail "the server does not solve the record"
  kill "$server"
  wait "$server" 2>/dev/null || true
  server=
}

archive_check() {
  build_archive
  tar -C "$scratch" -xzf "$out"/ricochet-*-"$target".tar.gz
  local folder
  folder=$(echo "$scratch"/ricochet-*-"$target")
  "$folder/ricochet" solve "$record" | grep "25 moves, optimal"
  bash -n "$folder/complete/ricochet.bash"
  [ "$(find "$folder/man" -name '*.1' | wc -l)" -gt 20 ] || fail "manual pages are missing"
  ask_server "$scratch/data" "$folder/ricochet"
}

deb() {
  if ! has cargo-deb || ! has debootstrap || [ "$(id -u)" != 0 ]; then
    skip "this needs cargo-deb, debootstrap and root"
    return
  fi
  build_archive
  rm -f "$out"/*.deb
  packaging/deb.sh "$target" "$out"
  local root=${DEBIAN:-$scratch/debian}
  [ -e "$root/bin/sh" ] || debootstrap --variant=minbase bookworm "$root" >"$scratch/debootstrap.log"
  cp "$out"/*.deb "$root/ricochet.deb"
  local list="find / -xdev -type f -not -path '/proc/*' -not -path '/var/*' -not -path '/tmp/*' -not -name ricochet.deb"
  chroot "$root" sh -ec "
    $list | sort >/tmp/before
    dpkg -i /ricochet.deb
    ricochet solve '$record' | grep '25 moves, optimal'
    test -e /usr/share/man/man1/ricochet.1.gz -a -e /usr/share/bash-completion/completions/ricochet"
  ask_server /tmp/data chroot "$root" ricochet
  chroot "$root" sh -ec "
    dpkg --purge ricochet
    $list | sort | diff /tmp/before -
    rm -r /tmp/before /tmp/data /ricochet.deb"
}

python() {
  local python=${PYTHON:-python3}
  "$python" -m venv "$scratch/tools"
  "$scratch/tools/bin/pip" install --quiet --disable-pip-version-check "maturin>=1.9,<2" twine
  rm -f "$out"/*.whl "$out"/ricochet_engine-*.tar.gz
  "$scratch/tools/bin/maturin" build --quiet --locked --profile "${PROFILE:-release}" --out "$out"
  "$scratch/tools/bin/maturin" sdist --quiet --out "$out"
  wheel=$(echo "$out"/*.whl)
  "$scratch/tools/bin/twine" check --strict "$out"/*.whl "$out"/ricochet_engine-*.tar.gz
  "$python" -m zipfile -l "$wheel" >"$scratch/files"
  grep -q DejaVuSans-LICENSE "$scratch/files" || fail "the font's licence is not in the wheel"
  # The source contains everything that the build needs. Sharing the target folder saves compiling its
  # dependencies again.
  CARGO_TARGET_DIR=$PWD/target "$python" -m pip wheel --quiet --disable-pip-version-check --no-deps \
    --wheel-dir "$scratch/wheels" "$out"/ricochet_engine-*.tar.gz
  "$python" -m zipfile -l "$(echo "$scratch"/wheels/*.whl)" | sed 's/ .*//' | grep -v '\.dist-info/' | sort >"$scratch/built"
  "$python" -m zipfile -l "$wheel" | sed 's/ .*//' | grep -v '\.dist-info/' | sort >"$scratch/expected"
  diff "$scratch/expected" "$scratch/built" || fail "the wheel built from the source has other files"
  "$python" -m venv "$scratch/venv"
  "$scratch/venv/bin/pip" install --quiet --disable-pip-version-check "${wheel}[gym]"
  "$scratch/venv/bin/python" packaging/smoke.py gym
  "$scratch/venv/bin/pip" install --quiet --disable-pip-version-check "${wheel}[all]"
  "$scratch/venv/bin/pip" check
  "$scratch/venv/bin/python" packaging/smoke.py all
}

npm_check() {
  if ! has npm; then
    skip "no npm"
    return
  fi
  engine
  web/npm/build.sh target/npm
  rm -f "$out"/*.tgz
  mkdir -p "$out" "$scratch/project"
  npm pack --silent ./target/npm --pack-destination "$out"
  local package
  package=$(realpath "$out"/*.tgz)
  (
    cd "$scratch/project"
    npm init --yes >/dev/null
    npm install --silent --no-audit --no-fund "$package"
    cat >solve.mjs <<'EOF'
import assert from 'node:assert/strict';
import { EngineError, startEngine } from 'ricochet-engine';
const puzzle = process.argv[2];
const engine = await startEngine();
const solved = await engine.ask('solve', { puzzle });
assert.deepEqual([solved.length, solved.optimal], [25, true]);
assert.ok((await engine.ask('rate', { puzzle: '4x3..0012.R31' })).rating > 0);
assert.equal((await engine.ask('daily', { date: '2026-11-19' })).date, '2026-11-19');
const png = await engine.ask('draw', { puzzle: '4x3..0012.R31', kind: 'png' });
assert.equal(Buffer.from(png.base64, 'base64').toString('latin1', 1, 4), 'PNG');
await assert.rejects(engine.ask('solve', { puzzle: 'what a lovely day' }), EngineError);
await assert.rejects(engine.ask('solve', { puzzle }, { signal: AbortSignal.timeout(20) }), { name: 'AbortError' });
console.log('the npm package solves the record:', solved.moves.join(' '));
EOF
    node solve.mjs "$record"
  )
  # The types are those of TypeScript's users.
  cat >"$scratch/project/types.mts" <<'EOF'
import { startEngine, type AnswerOf, type Engine } from 'ricochet-engine';
const engine: Engine = await startEngine({ memoryMib: 64 });
const answer: AnswerOf<'solve'> = await engine.ask('solve', { puzzle: '4x3..0012.R31' });
export const moves: string[] | null | undefined = answer.moves;
// @ts-expect-error: there is no such question
await engine.ask('sing', {});
EOF
  if [ -x web/node_modules/.bin/tsc ]; then
    (cd "$scratch/project" && "$OLDPWD/web/node_modules/.bin/tsc" --noEmit --strict --target es2022 --module nodenext --lib es2023,dom --types "" types.mts)
    if [ -n "$(chromium)" ]; then
      CHROMIUM=$(chromium) RICOCHET_PACKAGE=$scratch/project/node_modules/ricochet-engine node --test web/tests/site/package.test.mjs
    else
      skip "the npm package in a browser (no Chromium)"
    fi
  else
    skip "the types of the npm package, and the package in a browser (npm ci --prefix web)"
  fi
}

book() {
  if ! has mdbook || ! has node; then
    skip "this needs mdBook (cargo install mdbook) and Node"
    return
  fi
  engine
  # The reference is built from the package; the part `python` has just built a wheel.
  "${PYTHON:-python3}" -m venv "$scratch/sphinx"
  "$scratch/sphinx/bin/pip" install --quiet --disable-pip-version-check -r python/requirements.txt "${wheel:-.}"
  PYTHON=$scratch/sphinx/bin/python docs/book/build.sh target/book
  if [ -n "$(chromium)" ] && [ -d web/node_modules ]; then
    CHROMIUM=$(chromium) RICOCHET_BOOK=$PWD/target/book node --test web/tests/site/book.test.mjs
  else
    skip "the book in a browser needs Chromium and npm ci --prefix web"
  fi
}

container() {
  local program
  program=$(command -v podman || command -v docker || true)
  if [ -z "$program" ] || ! "$program" info >/dev/null 2>&1; then
    skip "this needs podman or docker"
    return
  fi
  "$program" build -f docs/serve/Containerfile -t ricochet-check --build-arg PROFILE="${PROFILE:-dist}" .
  "$program" run --rm ricochet-check solve "$record" | grep "25 moves, optimal"
  ask_server /data "$program" run --rm --network host ricochet-check
  "$program" rmi ricochet-check >/dev/null
}

for part in $parts; do
  step "$part"
  case $part in
    metadata | workflows | deny | msrv | crates | deb | python | book | container) "$part" ;;
    archive | npm) "${part}_check" ;;
    *) fail "no part is called $part" ;;
  esac
done
step "done: $parts"
