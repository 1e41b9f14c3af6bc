#!/usr/bin/env bash
# Adds to a folder of release files what is made from them: SHA256SUMS, the notes of the release, and the
# descriptions for Homebrew (ricochet.rb), Scoop (ricochet.json) and the Arch user repository (PKGBUILD).
#
#   packaging/release-files.sh OUT
set -euo pipefail
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
version=$(packaging/version.sh)
(cd "$out" && sha256sum -- *.tar.gz *.zip *.deb *.whl *.tgz >SHA256SUMS)
for template in packaging/templates/*; do
  text=$(sed "s/@VERSION@/$version/g" "$template")
  while [[ $text =~ @SHA256\ ([^@]+)@ ]]; do
    archive=ricochet-$version-${BASH_REMATCH[1]}
    sum=$(awk -v file="$archive" '$2 == file { print $1 }' "$out/SHA256SUMS")
    [ -n "$sum" ] || { echo "there is no $archive in $1" >&2; exit 1; }
    text=${text//"${BASH_REMATCH[0]}"/$sum}
  done
  printf '%s\n' "$text" >"$out/$(basename "$template")"
done
# The section of this version.
awk -v heading="## $version" '$0 == heading { inside = 1; next } /^## / { inside = 0 } inside' CHANGELOG.md >"$out/NOTES.md"
