#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A watch over the histories of agents, as the launcher starts it: a new line is archived within a second, an idle watch takes
# less than 1 % of a core and 80 MB, a signal ends it well. Where systemd is installed, it judges the unit that is printed.
set -euo pipefail
cd "$(dirname "$0")/.."
varve=${VARVE:-$PWD/varve}
work=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill "$pid" 2> /dev/null || true; rm -rf "$work"' EXIT
export HOME=$work/home VARVE_STORE=$work/store
project=$HOME/.claude/projects/-src-shop
mkdir -p "$project"

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

record() { # session, uuid, parent
  printf '{"parentUuid":%s,"sessionId":"%s","type":"user","message":{"role":"user","content":"%s"},"uuid":"%s","cwd":"/src/shop"}\n' \
    "$3" "$1" "words of $2" "$2"
}

session=00000000-0000-4000-8000-000000000000
for i in $(seq 1 200); do
  id=00000000-0000-4000-8000-$(printf %012d "$i")
  { record "$id" "$i-a" null; record "$id" "$i-b" "\"$i-a\""; } > "$project/$id.jsonl"
done
record "$session" first null > "$project/$session.jsonl"
"$varve" sync > /dev/null

: > "$work/out" # before anybody reads it
"$varve" sync --watch --json >> "$work/out" 2> "$work/err" &
pid=$!

lines() {
  wc -l < "$work/out"
}

archive() { # uuid, parent; sets took_ms
  local before began
  before=$(lines)
  began=$(date +%s%N)
  record "$session" "$1" "\"$2\"" >> "$project/$session.jsonl"
  until [ "$(lines)" -gt "$before" ]; do
    [ $(($(date +%s%N) - began)) -lt 60000000000 ] || fail "a line is not archived: $(cat "$work/err")"
    sleep 0.02
  done
  took_ms=$((($(date +%s%N) - began) / 1000000))
}

archive 1 first # the first one waits for Java, too
best=$took_ms
for i in 2 3 4 5 6; do
  sleep 2
  archive "$i" "$((i - 1))"
  [ "$took_ms" -ge "$best" ] || best=$took_ms
done
[ "$best" -le 1000 ] || fail "a new line is archived after $best ms at best"

ticks() {
  awk '{ print $14 + $15 }' "/proc/$pid/stat"
}

if [ -r "/proc/$pid/stat" ]; then
  sleep 10 # until the memory is given back
  before=$(ticks)
  sleep 20
  used=$(($(ticks) - before))
  [ "$used" -le $(($(getconf CLK_TCK) * 20 / 100)) ] || fail "an idle watch took $used ticks in 20 s"
  resident=$(awk '/^VmRSS/ { print $2 }' "/proc/$pid/status")
  [ "$resident" -le 80000 ] || fail "an idle watch has $resident kB"
fi

kill "$pid"
wait "$pid" || fail "a watch that a signal ends has status $?"
pid=
grep -q 'outcome":"failed' "$work/out" && fail "$(cat "$work/out")"

"$varve" sync --install --json > "$work/unit.json"
if command -v systemd-analyze > /dev/null && grep -q '"kind":"systemd"' "$work/unit.json"; then
  "$varve" sync --install --write > /dev/null
  systemd-analyze --user verify "$HOME/.config/systemd/user/varve-sync.service" || fail "systemd refuses the unit"
fi
echo "a line archived after $best ms; idle: ${used:-?} ticks in 20 s, ${resident:-?} kB"
