#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The HTTP port as programs see it that share no code with this project: the official MCP client, a validator of OpenAPI
# documents, generated clients, Chromium, whoever reads docs/http-api.md, and curl with a token; against `varve serve`, which has to
# stop in order each time.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
server=
stop() {
  if [ -n "$server" ]; then
    kill -9 "$server" 2> /dev/null || true
  fi
  rm -rf "$work"
}
trap stop EXIT

. .ci/browser.sh

varve() {
  # shellcheck disable=SC2086 # VARVE may be a command with arguments
  ${VARVE:-./varve} "$@"
}

# start STORE [OPTION…]: starts the service; leaves its process in $server, what to wait for in $shell, its address in $url.
start() {
  : > "$work/ready"
  varve serve --json --store "$work/$1" --http 127.0.0.1:0 --binary 127.0.0.1:0 "${@:2}" > "$work/ready" 2> "$work/talk" &
  shell=$!
  url=
  for _ in $(seq 300); do
    url=$(sed -n 's/.*"http":"\([^"]*\)".*/\1/p' "$work/ready")
    [ -z "$url" ] || break
    sleep 0.2
  done
  [ -n "$url" ] || {
    cat "$work/talk" >&2
    echo "the server does not answer" >&2
    exit 1
  }
  server=$(sed -n 's/.*"pid":\([0-9]*\).*/\1/p' "$work/ready")
}

# Tells it to stop, and wants it to do so in order.
finish() {
  kill -TERM "$server"
  wait "$shell" || {
    echo "stopping ended with status $?" >&2
    exit 1
  }
  server=
  varve check --store "$work/$1"
}

# A proxy that the machine is set up with is not for this machine's own ports.
export NO_PROXY=127.0.0.1 no_proxy=127.0.0.1

start store
node .ci/http-client/check.mjs "$url" "$browser" "${VARVE:-./varve}" "$work/by-stdio"
finish store

start routes
node .ci/http-client/routes.mjs "$url" docs/http-api.md
bash .ci/openapi-clients.sh "$url"
finish routes

# With TLS, tokens and an audit log, as docs/operations.md tells; asked by curl, as a user would.
command -v openssl curl > /dev/null || {
  echo "curl or openssl is missing" >&2
  exit 1
}
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
  -addext subjectAltName=IP:127.0.0.1,DNS:localhost -keyout "$work/key.pem" -out "$work/cert.pem" 2> "$work/openssl.log"
reader=$(varve token create reader --scopes read --token-file "$work/tokens" 2> "$work/talk.reader")
robot=$(varve token create robot --scopes read,write --token-file "$work/tokens" 2> "$work/talk.robot")
start guarded --tls-cert "$work/cert.pem" --tls-key "$work/key.pem" --token-file "$work/tokens" --audit-log "$work/audit.jsonl"

# expect STATUS PATH [OPTION…]: asks, and wants this status.
expect() {
  local status
  status=$(curl -sS --cacert "$work/cert.pem" -o "$work/body" -w '%{http_code}' "${@:3}" "$url$2")
  [ "$status" = "$1" ] || {
    echo "$2: expected $1, found $status: $(cat "$work/body")" >&2
    exit 1
  }
}

as_reader=(-H "Authorization: Bearer $reader")
as_robot=(-H "Authorization: Bearer $robot")
expect 200 /healthz
expect 401 /v1/contexts
expect 401 /v1/contexts -H "Authorization: Bearer varve_wrong"
expect 200 /v1/contexts "${as_reader[@]}"
expect 403 /v1/contexts "${as_reader[@]}" -X POST
expect 201 /v1/contexts "${as_robot[@]}" -X POST
expect 403 /v1/contexts "${as_robot[@]}" -H 'Origin: https://elsewhere.example'
varve token revoke robot --token-file "$work/tokens"
sleep 1.1 # a second is what the documentation promises
expect 401 /v1/contexts "${as_robot[@]}" -X POST
expect 200 /v1/contexts "${as_reader[@]}"
! curl -sS -o "$work/body" "${url/https/http}/healthz" 2> "$work/talk.plain" || {
  echo "answered without TLS" >&2
  exit 1
}
finish guarded
for line in '"who":"robot".*"what":"createContext".*"status":201' '"who":"reader".*"status":403' '"who":"-".*"status":401'; do
  grep -q "$line" "$work/audit.jsonl" || {
    cat "$work/audit.jsonl" >&2
    echo "not in the audit log: $line" >&2
    exit 1
  }
done
! grep -qF -e "$robot" -e "$reader" "$work/tokens" "$work/audit.jsonl" "$work/talk" || {
  echo "a token stands where none may" >&2
  exit 1
}
echo "TLS, tokens, revocation, audit log: as documented"
