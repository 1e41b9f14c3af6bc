#!/usr/bin/env bash
# Sends requests made from the served OpenAPI document, valid and broken, to a server on this machine.
#
#   packaging/schemathesis.sh PROGRAM [OPTION…]    the command ricochet, more options of schemathesis
#
# Skips with a line where Python or the network is missing. SCHEMATHESIS names the command if it is installed.
set -euo pipefail
program=$(realpath "$1")
shift
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
if [ -z "${SCHEMATHESIS-}" ]; then
  if ! { python3 -m venv "$folder/venv" && "$folder/venv/bin/pip" install --quiet schemathesis==4.32.5; } >"$folder/pip" 2>&1; then
    echo "skipped: schemathesis cannot be installed"
    exit 0
  fi
  SCHEMATHESIS=$folder/venv/bin/schemathesis
fi

port=$((20000 + RANDOM % 20000))
# Short searches: most of the generated puzzles are easy or wrong, and the others would take a minute each.
"$program" serve --port "$port" --data "$folder/data" --time-limit 1 >"$folder/log" 2>&1 &
server=$!
for _ in $(seq 200); do
  if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then break; fi
  sleep 0.1
done

cat >"$folder/config.toml" <<'CONFIG'
# A schema cannot say which texts are puzzles (422), which robots, tiles and themes of a request fit
# together (400), or how long a URL and a list of moves may be (413, 414). The test
# `what_fits_the_schema_is_not_refused_for_its_shape` tells these from mistakes in the schema by error code.
# A puzzle of the day that is not found within the short time is a 503.
[checks]
not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", 503]
positive_data_acceptance.expected-statuses = ["2xx", 400, 401, 403, 404, 409, 413, 414, 422, 429, 503]
CONFIG
# The stream of a room does not end, so a request for it would never be done.
"$SCHEMATHESIS" --config-file "$folder/config.toml" run "http://127.0.0.1:$port/api/v1/openapi.json" \
  --exclude-path '/api/v1/rooms/{room}/stream' --phases examples,coverage,fuzzing --continue-on-failure "$@"
