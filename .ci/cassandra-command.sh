#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The command and the service on a real node of Apache Cassandra: the tables are made, two services on one store serve the same
# contexts, a command uses the store beside them, one service is killed in the middle of appends, and the store is copied into a
# folder and back. VARVE names another command than the launcher's. Needs a Java 17 for the node.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
varve=${VARVE:-$root/varve}
. "$root/.ci/cassandra-node.sh"
cassandra_node
work=$(mktemp -d)
export HOME=$work/home
mkdir "$HOME"

finish() {
  local pid
  for pid in $(jobs -pr); do kill -9 "$pid" 2> /dev/null || true; done
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

start_node() {
  local node host=$1 home=$work/node
  local from=$root/cassandra/src/test/resources/dev/varve/cassandra
  mkdir -p "$home/conf" "$home/tmp"
  sed "s#@TOKEN@#0#; s#@ADDRESS@#$host#; s#@SEEDS@#$host:7000#; s#@HOME@#$home#" "$from/node.yaml" > "$home/conf/cassandra.yaml"
  cp "$from/logback-node.xml" "$home/conf/logback.xml"
  printf 'dc=dc1\nrack=r1\n' > "$home/conf/cassandra-rackdc.properties"
  # shellcheck disable=SC2046
  "$CASSANDRA_JAVA" $(cat "$from/node.options") -javaagent:"$(ls "$CASSANDRA_LIB"/jamm-*.jar)" -Djava.io.tmpdir="$home/tmp" \
    -Djna.tmpdir="$home/tmp" -Dcassandra.config="file://$home/conf/cassandra.yaml" -Dcassandra.storagedir="$home" \
    -Dcassandra.logdir="$home" -cp "$home/conf:$CASSANDRA_LIB/*" org.apache.cassandra.service.CassandraDaemon > "$home/log" 2>&1 &
  node=$!
  for _ in $(seq 900); do
    (exec 3<> "/dev/tcp/$host/9042") 2> /dev/null && return
    kill -0 "$node" 2> /dev/null || fail "the node did not start: $(tail -20 "$home/log")"
    sleep 0.2
  done
  fail "the node does not answer"
}

start_service() { # start_service NAME HOME: sets $http and $service; an own HOME is another machine
  : > "$work/$1"
  HOME=$2 "$varve" serve --json --store "$store" --http 127.0.0.1:0 --binary 127.0.0.1:0 > "$work/$1" 2> "$work/$1.talk" &
  service=$!
  for _ in $(seq 1200); do
    grep -q '"event":"ready"' "$work/$1" && break
    kill -0 "$service" 2> /dev/null || fail "a service did not start: $(cat "$work/$1.talk")"
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

host=127.$((RANDOM % 200 + 20)).$((RANDOM % 200 + 20)).1
start_node "$host"
store="cassandra://varve:never-shown@$host/team?dc=dc1"

# --- commands
status=0
"$varve" new --store "$store" > "$work/out" 2> "$work/talk" || status=$?
expect "the status of new without tables" 1 "$status"
"$varve" cassandra init --store "$store" --replication dc1=1
"$varve" cassandra init --store "$store" --replication dc1=1 2> "$work/talk"
expect "the first context" 1 "$("$varve" new --store "$store")"
expect "a turn" 1 "$(echo 'from a command' | "$varve" append 1 --store "$store")"
"$varve" check --store "$store" > "$work/out" || fail "check: $(cat "$work/out")"
grep -q 'verified 1 blob, 1 turn, 1 context' "$work/out" || fail "check: $(cat "$work/out")"
"$varve" log 1 --store "$store" | grep -q 'from a command' || fail "log does not show the turn"

# --- two services, as on two machines, and a command beside them
start_service first "$work/home"
first=$http
killed=$service
mkdir "$work/other"
start_service second "$work/other"
second=$http
for n in $(seq 20); do
  append "$first" 1 "first $n" >> "$work/acknowledged" || fail "the first service does not append"
  append "$second" 1 "second $n" >> "$work/acknowledged" || fail "the second service does not append"
done
expect "turns of the context" 41 "$(curl -s "$second/v1/contexts/1/turns?limit=100" | grep -o '"turn_id":"[0-9]*"' | wc -l)"
"$varve" log 1 --store "$store" -n 100 | grep -q 'second 20' || fail "a command beside the services does not see their turns"
for _ in $(seq 100); do
  found=$(curl -s "$first/v1/search?q=second" | grep -c 'second 20' || true)
  [ "$found" = 0 ] || break
  sleep 0.1
done
[ "$found" != 0 ] || fail "the search of the first service does not find a turn of the second"

# --- a service is killed in the middle of appends; the other goes on
(for n in $(seq 200); do append "$first" 1 "until the end $n" >> "$work/acknowledged" || break; done) &
appending=$!
sleep 1
kill -9 "$killed"
wait "$appending" || true
append "$second" 1 "alone" >> "$work/acknowledged" || fail "the second service does not go on alone"
"$varve" log 1 --store "$store" --json -n 1000 | sed -n 's/.*"turn_id":"\([0-9]*\)".*/\1/p' | sort > "$work/there"
sort "$work/acknowledged" > "$work/expected"
expect "acknowledged turns that are lost" "" "$(comm -13 "$work/there" "$work/expected" | head -3)"
expect "numbers that were given twice" "" "$(uniq -d "$work/there")$(uniq -d "$work/expected")"
"$varve" check --store "$store" > "$work/out" || fail "check: $(cat "$work/out")"

# --- from the cluster into a folder, and back into another store of the keyspace
kill "$service"
wait "$service" || fail "the second service did not stop in order"
"$varve" copy --from "$store" --to "$work/folder" --json > "$work/out"
other="$store&store=other"
"$varve" copy --store "$work/folder" --to "$other" > "$work/out"
for copy in "$work/folder" "$other"; do
  "$varve" check --store "$copy" > "$work/out" || fail "check of a copy: $(cat "$work/out")"
  expect "the log of a copy" "$("$varve" log 1 --store "$store" --json -n 1000)" "$("$varve" log 1 --store "$copy" --json -n 1000)"
done

# --- a password in an address is shown nowhere
if grep -r -l 'never-shown' "$work" --exclude-dir=node > "$work/shown"; then
  fail "the password is in $(cat "$work/shown")"
fi
printf 'two services and commands on one cluster, and copies of the store: %s acknowledged turns, none lost\n' "$(wc -l < "$work/expected")"
