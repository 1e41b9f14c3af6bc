#!/usr/bin/env bash
# Adds SHA256SUMS to a folder of release files, and prints the release notes.
#
#   packaging/release-files.sh OUT MANIFESTS
#
# MANIFESTS receives the descriptions for Homebrew (ricochet.rb), Scoop (ricochet.json), the Arch user
# repository (PKGBUILD) and winget (winget.*), made from packaging/templates.
set -euo pipefail
if [ $# -ne 2 ]; then
  sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
out=$(cd "$1" && pwd)
manifests=$(mkdir -p "$2" && cd "$2" && pwd)
cd "$(dirname "$0")/.."
version=$(packaging/version.sh)
(cd "$out" && sha256sum -- *.tar.gz *.zip *.deb *.whl *.tgz puzzles.* >SHA256SUMS)
for template in packaging/templates/*; do
  text=$(sed "s/@VERSION@/$version/g" "$template")
  while [[ $text =~ @SHA256\ ([^@]+)@ ]]; do
    archive=ricochet-$version-${BASH_REMATCH[1]}
    sum=$(awk -v file="$archive" '$2 == file { print $1 }' "$out/SHA256SUMS")
    [ -n "$sum" ] || { echo "there is no $archive in $1" >&2; exit 1; }
    text=${text//"${BASH_REMATCH[0]}"/$sum}
  done
  printf '%s\n' "$text" >"$manifests/$(basename "$template")"
done
# The section of this version.
awk -v heading="## $version" '$0 == heading { inside = 1; next } /^## / { inside = 0 } inside' CHANGELOG.md
