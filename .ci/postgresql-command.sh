#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The command and the service on a real PostgreSQL, as a team uses them: two services on one database serve the same contexts, a
# third program uses the database beside them, one service is killed, the database is killed and started again.
# VARVE names another command than the launcher's; PG_BIN the folder of PostgreSQL's programs.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
varve=${VARVE:-$root/varve}
programs=${PG_BIN:-$(find /usr/lib/postgresql -name initdb | sort -V | tail -1 | xargs dirname)}
work=$(mktemp -d)
export HOME=$work/home
mkdir "$HOME"
services=()
database=

as_server() { # a server refuses to run as root
  if [ "$(id -u)" = 0 ]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi
}

finish() {
  local pid
  for pid in $(jobs -pr); do kill -9 "$pid" 2> /dev/null || true; done
  [ -z "$database" ] || as_server "$programs/pg_ctl" -D "$work/database/data" -m immediate -w stop > /dev/null || true
  [ -n "${KEEP-}" ] || rm -rf "$work"
}
trap finish EXIT

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

expect() { # expect WHAT EXPECTED FOUND
  [ "$2" = "$3" ] || fail "$1: expected '$2', found '$3'"
}

start_database() {
  as_server "$programs/pg_ctl" -D "$work/database/data" -w -t 60 -l "$work/database/log" \
    -o "-c listen_addresses=127.0.0.1 -c port=$port -c unix_socket_directories=''" start > /dev/null
  database=on
}

start_service() { # start_service NAME HOME ARGUMENT…: sets $http; an own HOME is another machine
  : > "$work/$1"
  HOME=$2 "$varve" serve --json --store "$store" --http 127.0.0.1:0 --binary 127.0.0.1:0 "${@:3}" > "$work/$1" 2> "$work/$1.talk" &
  services+=($!)
  for _ in $(seq 1200); do
    grep -q '"event":"ready"' "$work/$1" && break
    kill -0 "${services[-1]}" 2> /dev/null || fail "a service did not start: $(cat "$work/$1.talk")"
    sleep 0.05
  done
  http=$(sed 's/.*"http":"\([^"]*\)".*/\1/' "$work/$1")
}

append() { # append URL CONTEXT TEXT: the turn's number
  local answer
  answer=$(curl -s -f -m 60 -H 'Content-Type: application/json' \
    --data "{\"type_id\":\"team\",\"type_version\":1,\"data\":{\"text\":\"$3\"}}" "$1/v1/contexts/$2/append") || return 1
  sed -n 's/.*"turn_id":"\{0,1\}\([0-9]*\).*/\1/p' <<< "$answer"
}

mkdir "$work/database"
chmod 755 "$work"
[ "$(id -u)" != 0 ] || chown postgres "$work/database"
port=$(node "$root/.ci/free-port.mjs")
as_server "$programs/initdb" -D "$work/database/data" -U varve -A trust -E UTF8 > /dev/null
start_database
store="postgresql://varve:never-shown@127.0.0.1:$port/postgres?schema=team"

# --- commands
status=0
"$varve" stats --store "$store" > "$work/out" 2> "$work/talk" || status=$?
expect "the status of stats without a store" 1 "$status"
expect "the first context" 1 "$("$varve" new --store "$store")"
expect "a turn" 1 "$(echo 'from a command' | "$varve" append 1 --store "$store")"
"$varve" check --store "$store" > "$work/out" || fail "check: $(cat "$work/out")"
grep -q 'verified 1 blob, 1 turn, 1 context' "$work/out" || fail "check: $(cat "$work/out")"
"$varve" log 1 --store "$store" | grep -q 'from a command' || fail "log does not show the turn"
status=0
"$varve" backup "$work/backup" --store "$store" > "$work/out" 2> "$work/talk" || status=$?
expect "the status of backup" 2 "$status"
grep -q 'needs a store in a folder' "$work/talk" || fail "backup: $(cat "$work/talk")"

# --- two services, as on two machines, and a command beside them
start_service first "$work/home"
first=$http
mkdir "$work/other"
start_service second "$work/other" --apply-retention 1d
second=$http
curl -s -N -m 120 "$first/v1/events" > "$work/events" &
services+=($!)
for _ in $(seq 100); do
  grep -q 'connected' "$work/events" && break
  sleep 0.1
done
for n in $(seq 20); do
  append "$first" 1 "first $n" >> "$work/acknowledged" || fail "the first service does not append"
  append "$second" 1 "second $n" >> "$work/acknowledged" || fail "the second service does not append"
done
expect "turns of the context" 41 "$(curl -s "$second/v1/contexts/1/turns?limit=100" | grep -o '"turn_id":"[0-9]*"' | wc -l)"
expect "the turns that were acknowledged" 40 "$(sort -u "$work/acknowledged" | wc -l)"
"$varve" log 1 --store "$store" -n 100 | grep -q 'second 20' || fail "a command beside the services does not see their turns"
for _ in $(seq 100); do
  found=$(curl -s "$first/v1/search?q=second" | grep -c 'second 20' || true)
  [ "$found" = 0 ] || break
  sleep 0.1
done
[ "$found" != 0 ] || fail "the search of the first service does not find a turn of the second"

expect_events() { [ "$(grep -c '^event: turn_appended' "$work/events" || true)" = 40 ]; }
for _ in $(seq 100); do
  expect_events && break
  sleep 0.1
done
sleep 1 # what is announced twice comes within a second
expect_events || fail "the events of the first service: $(grep -c '^event: turn_appended' "$work/events") of 40 turns"

# --- an erasure by a command: two services and a search see it, no way in brings the content back
secret=violetharbor7777 # no credential, which the search would leave out
erase_status() { # erase_status WHAT EXPECTED COMMAND...: runs the command, its output in out and talk
  local what=$1 expected=$2 status=0
  shift 2
  "$@" > "$work/out" 2> "$work/talk" || status=$?
  expect "the status of $what" "$expected" "$status"
}
expect "the second context" 2 "$("$varve" new --store "$store")"
spoken=$(append "$first" 2 "the key is $secret") || fail "the first service does not append"
hidden=$(append "$second" 2 "to be patched") || fail "the second service does not append"
echo '{"text":"patched"}' | "$varve" patch "$hidden" --store "$store" > /dev/null || fail "patch"
for _ in $(seq 100); do
  curl -s "$second/v1/search?q=$secret" | grep -q '"turn_id":"'"$spoken"'"' && break
  sleep 0.1
done
"$varve" search "$secret" --store "$store" | grep -q . || fail "the search of a command"
erase_status "keep" 0 "$varve" keep --context 2 --reason audit --store "$store"
erase_status "an erasure that a hold is in the way of" 2 "$varve" erase --secret "$secret" --yes --store "$store"
grep -q 'audit' "$work/talk" || fail "the refusal does not name the hold: $(cat "$work/talk")"
"$varve" keep --context 2 --release --store "$store" > /dev/null || fail "keep --release"
erase_status "a forecast" 0 "$varve" erase --secret "$secret" --dry-run --store "$store"
grep -q 'would go: 1 blob' "$work/out" || fail "the forecast: $(cat "$work/out")"
erase_status "an erasure" 0 "$varve" erase --secret "$secret" --yes --store "$store"
grep -q 'erased: 1 blob' "$work/out" || fail "the erasure: $(cat "$work/out")"
receipt=$(sed -n 's/^receipt: //p' "$work/out")
erase_status "check --erased" 0 "$varve" check --erased "$receipt" --store "$store"
grep -q 'nothing is left of 1 erased blob' "$work/out" || fail "check --erased: $(cat "$work/out")"
HOME=$work/other "$varve" erase --receipts --json --store "$store" > "$work/out" || fail "erase --receipts on another machine"
grep -q '"run":1,.*"blobs":1' "$work/out" || fail "the receipts: $(cat "$work/out")"
for service in "$first" "$second"; do
  expect "content that was erased, put through $service" 410 "$(curl -s -o "$work/out" -w '%{http_code}' -H 'Content-Type: application/json' \
    --data "{\"type_id\":\"team\",\"type_version\":1,\"data\":{\"text\":\"the key is $secret\"}}" "$service/v1/contexts/2/append")"
  for _ in $(seq 100); do
    curl -s "$service/v1/search?q=$secret" | grep -q '"turn_id":"'"$spoken"'"' || break
    sleep 0.1
  done
  curl -s "$service/v1/search?q=$secret" | grep -q '"turn_id":"'"$spoken"'"' && fail "the search of $service finds what was erased"
  curl -s "$service/v1/contexts/2/turns" | grep -q "$secret" && fail "$service shows what was erased"
done
for _ in $(seq 100); do
  grep -q '^event: blobs_erased' "$work/events" && break
  sleep 0.1
done
grep -q '^event: blobs_erased' "$work/events" || fail "the first service does not announce the erasure"
"$varve" search "$secret" --store "$store" | grep -q "$secret" && fail "the search of a command finds what was erased"

# --- an erasure through a service, garbage, and the way back
plan=$(curl -s -f --data '{"contexts": ["2"]}' -H 'Content-Type: application/json' "$second/v1/erasures/plan") || fail "a plan through a service"
digest=$(sed -n 's/.*"plan_digest":"\([0-9a-f]*\)".*/\1/p' <<< "$plan")
erase_status "gc" 0 "$varve" gc --yes --store "$store"
grep -q 'freed: 1 blob' "$work/out" || fail "gc: $(cat "$work/out")"
expect "an erasure whose plan is old" 409 "$(curl -s -o "$work/out" -w '%{http_code}' -H 'Content-Type: application/json' \
  --data "{\"contexts\": [\"2\"], \"plan_digest\": \"$digest\"}" "$second/v1/erasures")"
plan=$(curl -s -f --data '{"contexts": ["2"]}' -H 'Content-Type: application/json' "$second/v1/erasures/plan")
digest=$(sed -n 's/.*"plan_digest":"\([0-9a-f]*\)".*/\1/p' <<< "$plan")
expect "an erasure through a service" 200 "$(curl -s -o "$work/out" -w '%{http_code}' -H 'Content-Type: application/json' \
  --data "{\"contexts\": [\"2\"], \"plan_digest\": \"$digest\"}" "$second/v1/erasures")"
printf '{"text":"patched"}\n' > "$work/patched"
erase_status "an erased payload that is put" 2 "$varve" put "$work/patched" --store "$store"
erase_status "readmit" 0 "$varve" readmit "$work/patched" --store "$store"
erase_status "a readmitted payload that is put" 0 "$varve" put "$work/patched" --store "$store"
erase_status "retention set" 0 "$varve" retention set --older-than 400d --store "$store"
erase_status "retention apply" 0 "$varve" retention apply --dry-run --store "$store"

# --- the files of the tables, once they are written anew
as_server "$programs/vacuumdb" -q -h 127.0.0.1 -p "$port" -U varve -d postgres --full -t team.blob
if grep -r -l "$secret" "$work/database/data/base" > "$work/shown"; then
  fail "the secret is in $(cat "$work/shown")"
fi
"$varve" check --store "$store" > "$work/out" || fail "check: $(cat "$work/out")"

# --- a service is killed; the database is killed while the other appends
kill -9 "${services[0]}"
wait "${services[0]}" 2> /dev/null || true
append "$second" 1 "alone" >> "$work/acknowledged" || fail "the second service does not go on alone"
append "$second" 1 "through the restart" > "$work/last" 2> "$work/last.talk" &
appending=$!
as_server "$programs/pg_ctl" -D "$work/database/data" -m immediate -w stop > /dev/null
append "$second" 1 "asked while there was no database" > "$work/late" &
late=$!
sleep 1
start_database
wait "$appending" || fail "an append beside the end of the database"
wait "$late" || fail "an append without a database"
cat "$work/last" "$work/late" >> "$work/acknowledged"
"$varve" log 1 --store "$store" --json -n 1000 | sed -n 's/.*"turn_id":"\([0-9]*\)".*/\1/p' | sort > "$work/there"
sort "$work/acknowledged" > "$work/expected"
expect "acknowledged turns that are lost" "" "$(comm -13 "$work/there" "$work/expected" | head -3)"
expect "numbers that were given twice" "" "$(uniq -d "$work/there")$(uniq -d "$work/expected")"
expect "all turns" 44 "$(wc -l < "$work/there")"
"$varve" check --store "$store" > "$work/out" || fail "check: $(cat "$work/out")"

# --- from the database into a folder while the service goes on, and back into another schema
"$varve" copy --from "$store" --to "$work/folder" --json > "$work/out"
append "$second" 1 "after the copy" > /dev/null
"$varve" copy --from "$store" --to "$work/folder" --json > "$work/out"
grep -q '"turns":1,.*"moved_contexts":1,.*"complete":true' "$work/out" || fail "the second copy: $(cat "$work/out")"
other="postgresql://varve@127.0.0.1:$port/postgres?schema=other"
"$varve" copy --store "$work/folder" --to "$other" > "$work/out"
for copy in "$work/folder" "$other"; do
  "$varve" check --store "$copy" > "$work/out" || fail "check of a copy: $(cat "$work/out")"
  expect "the log of a copy" "$("$varve" log 1 --store "$store" --json -n 1000)" "$("$varve" log 1 --store "$copy" --json -n 1000)"
done
status=0
echo 'only here' | "$varve" append 1 --store "$work/folder" > "$work/out"
"$varve" copy --from "$store" --to "$work/folder" > "$work/out" 2> "$work/talk" || status=$?
expect "the status of a copy over a store that went on by itself" 2 "$status"

# --- a password in an address is shown nowhere
if grep -r -l 'never-shown' "$work" --exclude-dir=database > "$work/shown"; then
  fail "the password is in $(cat "$work/shown")"
fi
kill "${services[1]}"
wait "${services[1]}" || fail "the second service did not stop in order"
printf 'two services and commands on one database, and copies of the store: %s acknowledged turns, none lost\n' "$(wc -l < "$work/expected")"
