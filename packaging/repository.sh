#!/usr/bin/env bash
# Puts the address of the repository and the maintainer into every file that has a placeholder.
#
#   packaging/repository.sh OWNER NAME "Jane Doe <jane@example.org>"
#
# OWNER and NAME are those of https://github.com/OWNER/NAME. Run it once, read `git diff`, and commit.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# -ne 3 ]; then
  sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
case $3 in *' <'*'@'*'>') ;; *) echo "expected NAME <ADDRESS>, not '$3'" >&2; exit 2 ;; esac
# Perl, because sed -i differs between systems.
git grep -lzE 'OWNER(/|\.github\.io/|\.)[Rr]icochet|OWNER@users' -- . ':!packaging/repository.sh' |
  REPO_OWNER=$1 REPO_NAME=$2 MAINTAINER=$3 xargs -0 perl -pi -e '
    BEGIN { ($owner, $name, $person) = @ENV{qw(REPO_OWNER REPO_NAME MAINTAINER)}; ($address) = $person =~ /<(.*)>/ }
    s{OWNER <OWNER\@users\.noreply\.github\.com>}{$person}g;
    s{OWNER\@users\.noreply\.github\.com}{$address}g;
    s{ghcr\.io/OWNER/ricochet}{"ghcr.io/" . lc "$owner/$name"}ge;
    s{OWNER\.github\.io/ricochet}{lc($owner) . ".github.io/$name"}ge;
    s{OWNER/ricochet}{$owner/$name}g;
    s{OWNER\.Ricochet}{$owner.Ricochet}g;'
if git grep -nE 'OWNER(/|\.|@)' -- . ':!packaging/repository.sh'; then
  echo "these placeholders are left" >&2
  exit 1
fi
git diff --stat
