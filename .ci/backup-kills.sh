#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# backup-kills.sh [MINUTES]: a service that is killed, with backups that are killed, while programs append. After each backup
# that completed, a copy of it is a sound store that has every turn that was acknowledged before the backup began; after each
# that was killed the folder is still the backup that it was. In the end the store itself has every acknowledged turn.
# VARVE names another command than the launcher's.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
varve=${VARVE:-$root/varve}
minutes=${1:-1}
work=$(mktemp -d)
store=$work/store
service=
writers=()
trap 'stop_writers; [ -z "$service" ] || kill -9 "$service" 2> /dev/null || true; [ -n "${KEEP-}" ] || rm -rf "$work"' EXIT

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

start() {
  : > "$work/ready"
  "$varve" serve --json --store "$store" --http 127.0.0.1:0 --binary 127.0.0.1:0 > "$work/ready" 2> "$work/talk" &
  service=$!
  for _ in $(seq 1200); do
    grep -q '"event":"ready"' "$work/ready" && break
    kill -0 "$service" 2> /dev/null || fail "the service did not start: $(cat "$work/talk")"
    sleep 0.05
  done
  grep -q WARNING "$work/talk" && fail "a warning at the start: $(cat "$work/talk")"
  http=$(sed 's/.*"http":"\([^"]*\)".*/\1/' "$work/ready")
  case $http in http*) ;; *) http=http://$http ;; esac
}

writer() { # writer CONTEXT: appends until the service is gone, and notes what was acknowledged
  local n=0 size answer=$work/answer-$BASHPID # one's own: a request may outlive the writer that was stopped
  while true; do
    n=$((n + 1))
    size=$((RANDOM % 4000))
    [ $((n % 20)) != 0 ] || size=$((RANDOM * 20))
    printf '{"type_id":"kill","type_version":1,"data":{"n":"%s-%s-%s","filler":"%s"}}' "$1" "$RANDOM$RANDOM" "$n" \
      "$(head -c "$size" /dev/urandom | od -An -tx1 | tr -d ' \n')" > "$answer.body"
    curl -s -f -m 20 -H 'Content-Type: application/json' --data-binary "@$answer.body" \
      "$http/v1/contexts/$1/append" > "$answer" || return 0
    printf '%s\n' "$(sed -n 's/.*"turn_id":"\{0,1\}\([0-9]*\).*/\1/p' "$answer")" >> "$work/acknowledged-$1"
  done
}

stop_writers() {
  local pid
  for pid in ${writers[@]+"${writers[@]}"}; do
    kill "$pid" 2> /dev/null || true
    wait "$pid" 2> /dev/null || true
  done
  writers=()
}

start_writers() {
  local context
  for context in 1 2; do
    writer "$context" &
    writers+=($!)
  done
}

acknowledged() { cat "$work"/acknowledged-*; }

turns_of() { # turns_of STORE: the numbers of all turns
  local context
  for context in 1 2; do
    "$varve" log "$context" --store "$1" --json -n 100000 | sed -n 's/.*"turn_id":"\([0-9]*\)".*/\1/p'
  done
}

restored() { # restored ACKNOWLEDGED: what was acknowledged is in a copy of the backup
  rm -rf "$work/restored"
  cp -a "$work/backup" "$work/restored"
  "$varve" check --store "$work/restored" > "$work/report" 2>&1 || fail "a restored backup: $(cat "$work/report")"
  turns_of "$work/restored" | sort > "$work/there"
  sort "$1" > "$work/expected"
  comm -13 "$work/there" "$work/expected" > "$work/lacking"
  [ ! -s "$work/lacking" ] ||
    fail "a backup lacks $(wc -l < "$work/lacking") of $(wc -l < "$1") acknowledged turns: $(head -3 "$work/lacking" | tr '\n' ' ')"
}

: > "$work/acknowledged-1"
: > "$work/acknowledged-2"
: > "$work/before"
"$varve" new --store "$store" > /dev/null
"$varve" new --store "$store" > /dev/null
start
start_writers
end=$((SECONDS + minutes * 60))
rounds=0 kills=0 broken=0 step=0
while [ $SECONDS -lt $end ] || [ "$step" -lt 3 ]; do
  acknowledged > "$work/now"
  verify=
  [ $((RANDOM % 4)) != 0 ] || verify=--verify
  # shellcheck disable=SC2086
  "$varve" backup "$work/backup" --store "$store" --json $verify > "$work/backup.json" 2> "$work/backup.log" &
  backup=$!
  step=$((step + 1))
  case $((step % 3)) in
    0) # the backup is killed
      sleep "0.$((RANDOM % 9 + 1))"
      kill -9 "$backup" 2> /dev/null || true
      ;;
    2) # the service is killed, and the backup goes on
      sleep "0.$((RANDOM % 9 + 1))"
      kill -9 "$service"
      wait "$service" 2> /dev/null || true
      kills=$((kills + 1))
      stop_writers
      ;;
  esac
  if wait "$backup" 2> /dev/null; then
    mv "$work/now" "$work/before"
    restored "$work/before"
    rounds=$((rounds + 1))
  else
    broken=$((broken + 1))
    if [ -s "$work/before" ] || [ -e "$work/backup/varve.store" ]; then
      restored "$work/before"
    fi
  fi
  if ! kill -0 "$service" 2> /dev/null; then
    start
    start_writers
  fi
done
stop_writers
kill "$service"
wait "$service" || fail "the service did not stop in order"
service=
acknowledged > "$work/now"
"$varve" backup "$work/backup" --store "$store" --verify > /dev/null 2>&1 || fail "the last backup"
restored "$work/now"
"$varve" check --store "$store" > "$work/report" 2>&1 || fail "the store: $(cat "$work/report")"
turns_of "$store" | sort > "$work/there"
[ -z "$(uniq -d "$work/there")" ] || fail "a number was given twice: $(uniq -d "$work/there" | head -3)"
[ -z "$(acknowledged | sort | uniq -d)" ] || fail "a number was acknowledged twice"
printf '%s backups restored, %s broken off, %s services killed, %s acknowledged turns, none lost\n' \
  "$rounds" "$broken" "$kills" "$(wc -l < "$work/now")"
