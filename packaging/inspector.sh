#!/usr/bin/env bash
# Asks the MCP server with the official inspector, over standard input and output and over HTTP.
#
#   packaging/inspector.sh PROGRAM    the command ricochet
#
# Skips with a line where npm or the network is missing. INSPECTOR names a folder with the inspector installed.
set -euo pipefail
program=$(realpath "$1")
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
tools=${INSPECTOR-$folder}
if [ -z "${INSPECTOR-}" ] && ! npm install --prefix "$folder" --silent --no-audit --no-fund \
    @modelcontextprotocol/inspector@0.15.0 >"$folder/npm" 2>&1; then
  echo "skipped: the MCP inspector cannot be installed"
  exit 0
fi

ask() { # what the answer has to contain, then the server and the question
  local expected=$1
  shift
  timeout 120 "$tools/node_modules/.bin/mcp-inspector" --cli "$@" </dev/null >"$folder/answer" 2>&1 || true
  grep -q -- "$expected" "$folder/answer" || {
    echo "the inspector's answer to '$*' does not contain '$expected':" >&2
    head -c 2000 "$folder/answer" >&2
    exit 1
  }
}

all() { # the server
  ask '"name": "solve"' "$@" --method tools/list
  ask '"length": 3' "$@" --method tools/call --tool-name solve --tool-arg puzzle=4x3..0012.R31
  ask '"mimeType": "image/png"' "$@" --method tools/call --tool-name draw --tool-arg puzzle=4x3..0012.R31
  ask 'expected' "$@" --method tools/call --tool-name solve --tool-arg puzzle=nonsense
}

all "$program" mcp
port=$((20000 + RANDOM % 20000))
"$program" serve --port "$port" --data "$folder/data" >"$folder/log" 2>&1 &
server=$!
for _ in $(seq 200); do
  if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then break; fi
  sleep 0.1
done
all "http://127.0.0.1:$port/mcp" --transport http
ask '"name": "join_room"' "http://127.0.0.1:$port/mcp" --transport http --method tools/list
echo "the MCP inspector is answered over standard input and output and over HTTP"
