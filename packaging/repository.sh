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
address=${3##*<}
address=${address%>}
escape() { printf '%s' "$1" | sed 's/[&/\]/\\&/g'; }
git grep -lzE 'OWNER(/|\.github\.io/)ricochet|OWNER@users' -- . ':!packaging/repository.sh' | xargs -0 sed -i -E \
  -e "s/OWNER <OWNER@users\.noreply\.github\.com>/$(escape "$3")/g" \
  -e "s/OWNER@users\.noreply\.github\.com/$(escape "$address")/g" \
  -e "s/(ghcr\.io\/)OWNER\/ricochet/\1$(escape "${1,,}")\/$(escape "${2,,}")/g" \
  -e "s/OWNER\.github\.io\/ricochet/$(escape "${1,,}").github.io\/$(escape "$2")/g" \
  -e "s/OWNER\/ricochet/$(escape "$1")\/$(escape "$2")/g"
if git grep -nE 'OWNER(/|\.github|@)' -- . ':!packaging/repository.sh'; then
  echo "these placeholders are left" >&2
  exit 1
fi
git diff --stat
