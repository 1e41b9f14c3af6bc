#!/usr/bin/env bash
# Prints the version of the workspace, after checking that every file that repeats it agrees.
#
#   packaging/version.sh        prints 0.1.0
#   packaging/version.sh v0.1.0 fails if the tag is another
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
wrong=0
expect() { # file, line that it has to contain
  grep -qxF -- "$2" "$1" || { echo "$1: expected the line '$2'" >&2; wrong=1; }
}
expect CHANGELOG.md "## $version"
expect CITATION.cff "version: $version"
expect python/environments/pyproject.toml "version = \"$version\""
while read -r crate; do
  expect Cargo.toml "$crate = { path = \"crates/$crate\", version = \"$version\" }"
done < <(sed -n 's/^\(ricochet-[a-z]*\) = { path.*/\1/p' Cargo.toml)
if grep -n 'path = "\.\./' crates/*/Cargo.toml | grep -vF "version = \"$version\"" >&2; then
  echo "these paths need version = \"$version\"" >&2
  wrong=1
fi
if grep -n '"version": \|ghcr.io' server.json | grep -vE "\"$version\"|:$version\"" >&2; then
  echo "server.json: these need $version" >&2
  wrong=1
fi
if [ $# -gt 0 ]; then
  [ "$1" = "v$version" ] || { echo "the tag is $1, the version of the workspace $version" >&2; wrong=1; }
  ! grep -n '^## Unreleased' CHANGELOG.md >&2 || { echo "CHANGELOG.md: this belongs to $version" >&2; wrong=1; }
fi
echo "$version"
exit $wrong
