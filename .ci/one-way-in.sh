#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every command on a store that a service has open, each in a process of its own: the same commands give the same results on
# an equal store that nobody has open. Then the service is killed, and the commands work on. Then the same in a folder whose
# path is longer than an address of a socket. VARVE names another command than the launcher's.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
varve=${VARVE:-$root/varve}
work=$(mktemp -d)
service=
trap '[ -z "$service" ] || kill -9 "$service" 2> /dev/null || true; rm -rf "$work"' EXIT

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

serve() { # serve STORE
  : > "$work/ready"
  "$varve" serve --json --store "$1" --http 127.0.0.1:0 --binary 127.0.0.1:0 > "$work/ready" 2> "$work/talk" &
  for _ in $(seq 600); do
    grep -q '"event":"ready"' "$work/ready" && break
    kill -0 $! 2> /dev/null || fail "the service did not start: $(cat "$work/talk")"
    sleep 0.1
  done
  ! grep -q WARNING "$work/talk" || fail "a warning at the start: $(cat "$work/talk")"
  service=$(sed 's/.*"pid":\([0-9]*\).*/\1/' "$work/ready")
  [ -S "$1/service.sock" ] || fail "no socket in $1"
  [ "$(stat -c %a "$1/service.sock" 2> /dev/null || stat -f %Lp "$1/service.sock")" = 600 ] || fail "the socket's mode"
}

session=$work/pi-session.jsonl
cat > "$session" << 'END'
{"type":"session","version":3,"id":"0198c0de-0000-7000-8000-000000000001","timestamp":"2026-01-05T10:00:00.000Z","cwd":"/tmp"}
{"type":"message","id":"a1b2c3d4","parentId":null,"timestamp":"2026-01-05T10:00:01.000Z","message":{"role":"user","content":"hello","timestamp":1767607201000}}
{"type":"message","id":"a1b2c3d5","parentId":"a1b2c3d4","timestamp":"2026-01-05T10:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"hi"}],"timestamp":1767607202000}}
END

commands() { # commands STORE: everything that prints no time and no folder of its own
  local store=$1 worktree=$work/worktree blob
  export VARVE_STORE=$store
  rm -rf "$worktree"
  mkdir -p "$worktree"
  echo one > "$worktree/file"
  "$varve" new --title first
  echo '{"role":"user","text":"a question"}' | "$varve" append 1
  echo '{"role":"assistant","text":"an answer"}' | "$varve" append 1
  "$varve" fork 1 --title second
  echo '{"role":"user","text":"removed"}' | "$varve" patch 1
  head -c 300000 /dev/zero | "$varve" put -
  blob=$(printf 'some bytes' | "$varve" put -)
  "$varve" cat "$blob"
  echo
  "$varve" log 1
  "$varve" log 1 --graph
  "$varve" show 2 --raw
  echo
  "$varve" contexts
  "$varve" import pi "$session" | sed "s|$work||"
  "$varve" import pi "$session" | sed "s|$work||"
  "$varve" export pi --context 3 2> /dev/null || "$varve" contexts --json | grep -c context_id
  branch=$("$varve" pi publish "$session")
  echo "$branch"
  "$varve" pi verify "$branch"
  "$varve" pi get "$branch" -o "$work/got.jsonl" > /dev/null
  cmp "$work/got.jsonl" "$session"
  rm "$work/got.jsonl"
  "$varve" rewind capture --native -C "$worktree" > "$work/first"
  echo two > "$worktree/file"
  "$varve" rewind capture --native -C "$worktree" > /dev/null
  "$varve" rewind restore "$(cat "$work/first")" --yes --native -C "$worktree"
  cat "$worktree/file"
  "$varve" stats | grep -v '^store\|disk\|stored'
  "$varve" check 2> /dev/null
  rm -rf "$work/backup"
  "$varve" backup "$work/backup" 2> /dev/null
  "$varve" new --title third
  "$varve" backup "$work/backup" --verify 2> /dev/null
  "$varve" log 1 --store "$work/backup"
  "$varve" check --store "$work/backup" 2> /dev/null
}

untimed() { # takes the times, and the width that they give a column, out of what commands print
  sed -E 's/[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}/TIME/; s/just now|[0-9]+ (second|minute)s? ago/AGE/; s/ +/ /g'
}

both() { # both FOLDER
  mkdir -p "$1"
  commands "$1/alone" | untimed > "$work/alone"
  "$varve" new --store "$1/served" > /dev/null # so that the service has a store to open
  rm -rf "$1/served"
  serve "$1/served"
  commands "$1/served" 2> "$work/said" | untimed > "$work/served" || fail "beside the service: $(cat "$work/said")"
  diff "$work/alone" "$work/served" > "$work/difference" || fail "other results: $(cat "$work/difference")"
  kill -0 "$service" || fail "the service ended"
}

both "$work/short"
status=0
"$varve" check --rebuild --store "$work/short/served" 2> "$work/said" || status=$?
[ "$status" = 4 ] && grep -q 'a service, process' "$work/said" || fail "a rebuild beside the service: $status $(cat "$work/said")"

kill -9 "$service"
wait "$service" 2> /dev/null || true
service=
[ -S "$work/short/served/service.sock" ] || fail "a service that was killed leaves its socket"
"$varve" log 1 --store "$work/short/served" > /dev/null
"$varve" check --store "$work/short/served" > /dev/null
[ ! -e "$work/short/served/service.sock" ] || fail "the socket of a service that was killed is still there"

long=$work
for _ in $(seq 8); do
  long=$long/a-folder-with-quite-a-long-name
done
both "$long"
kill "$service"
wait "$service" 2> /dev/null || true
[ ! -e "$long/served/service.sock" ] || fail "the socket of a service that ended is still there"
service=

echo "the same results in $(grep -c . "$work/served") lines, alone and through the service"
