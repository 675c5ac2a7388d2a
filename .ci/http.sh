#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The HTTP port as programs see it that share no code with this project: the official MCP client, a validator of OpenAPI
# documents, and Chromium, against `varve serve`; then that it stops in order when it is told to.
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

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ]; then
  { apt-get update && apt-get install -y --no-install-recommends chromium; } > "$work/apt.log" 2>&1 || {
    tail "$work/apt.log" >&2
    echo "no Chromium here, and none could be installed" >&2
    exit 1
  }
  browser=$(command -v chromium)
fi
(cd .ci/http-client && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --silent)

# shellcheck disable=SC2086 # VARVE may be a command with arguments
${VARVE:-./varve} serve --json --store "$work/store" --http 127.0.0.1:0 --binary 127.0.0.1:0 > "$work/ready" 2> "$work/talk" &
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

# A proxy that the machine is set up with is not for this machine's own ports.
NO_PROXY=127.0.0.1 no_proxy=127.0.0.1 node .ci/http-client/check.mjs "$url" "$browser"

kill -TERM "$server"
wait $! || {
  echo "stopping ended with status $?" >&2
  exit 1
}
server=
${VARVE:-./varve} check --store "$work/store"
