#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The binary protocol as a program sees it that shares no code with this project: a client in JavaScript over published
# libraries, against `varve serve`, which is killed in between and started again.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
server=
stop() {
  if [ -n "$server" ]; then
    kill -9 "$server" 2> /dev/null || true
    wait "$server" 2> /dev/null || true
    server=
  fi
}
trap 'stop; rm -rf "$work"' EXIT

(cd .ci/node-client && npm ci --no-audit --no-fund --silent)

# Starts the server and leaves its process in $server and its port in $port.
start() {
  : > "$work/ready"
  # shellcheck disable=SC2086 # VARVE may be a command with arguments
  ${VARVE:-./varve} serve --json --store "$work/store" --http 127.0.0.1:0 --binary 127.0.0.1:0 > "$work/ready" 2> "$work/talk" &
  server=$!
  for _ in $(seq 300); do
    port=$(sed -n 's/.*"binary":"[^"]*:\([0-9]*\)".*/\1/p' "$work/ready")
    if [ -n "$port" ]; then
      server=$(sed -n 's/.*"pid":\([0-9]*\).*/\1/p' "$work/ready")
      return
    fi
    sleep 0.2
  done
  cat "$work/talk" >&2
  echo "the server does not answer" >&2
  return 1
}

start
node .ci/node-client/check.mjs "$port" before "$work/journal.json"
stop
start
node .ci/node-client/check.mjs "$port" after "$work/journal.json"
kill -TERM "$server"
for _ in $(seq 100); do
  kill -0 "$server" 2> /dev/null || break
  sleep 0.1
done
server=
${VARVE:-./varve} check --store "$work/store"
