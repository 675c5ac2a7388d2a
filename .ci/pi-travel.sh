#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The real Pi on two computers, each with a home, an agent folder and a store of its own. On A sessions are held and forked;
# Varve publishes them; on B Varve gets them from a folder, a bundle and a server, and Pi opens each and goes on with it.
#
# usage: pi-travel.sh LAB        LAB: the folder of scripts that install and drive Pi
# PI_LAB_DIR: where Pi is installed, or will be (default: a temporary folder). VARVE: the command to try.
set -euo pipefail
lab=$1
root=$(cd "$(dirname "$0")/.." && pwd)
varve=${VARVE:-$root/varve}
work=$(mktemp -d)
pids=()
trap 'for pid in "${pids[@]}"; do kill "$pid" 2> /dev/null || true; done; rm -rf "$work" "$PI_LAB_DIR/scratch/travel-$$-"*' EXIT
export PI_LAB_DIR=${PI_LAB_DIR:-$work/lab}
real_home=$HOME

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

[ -d "$PI_LAB_DIR/new/node_modules" ] || bash "$lab/install.sh" > "$work/install.log" 2>&1 || { cat "$work/install.log"; fail "Pi cannot be installed"; }
PI_LAB_PORT=$(PATH=$PI_LAB_DIR/new/node_modules/.bin:$PATH node "$root/.ci/free-port.mjs")
export PI_LAB_PORT
PATH=$PI_LAB_DIR/new/node_modules/.bin:$PATH node "$lab/fake-openai.mjs" "$PI_LAB_PORT" "$work/model.log" > "$work/model.out" &
pids+=($!)

# on COMPUTER COMMAND…: with that computer's home, agent folder and store, in its repository
on() {
  (
    name=$1
    shift
    . "$lab/env.sh" new "travel-$$-$name"
    export VARVE_STORE=$SCRATCH/store
    mkdir -p "$SCRATCH/repo"
    cd "$SCRATCH/repo"
    "$@"
  )
}
pi() { $PI "$@" < /dev/null; }
varve() { (HOME=$real_home "$varve" "$@"); }
serve() { echo "$BASHPID" > "$work/serve.pid"; HOME=$real_home exec "$varve" serve --http 127.0.0.1:0 --binary 127.0.0.1:0; }
sessions() { find "$PI_CODING_AGENT_DIR/sessions" -name '*.jsonl' | sort; }

# goes_on COMPUTER FILE: Pi opens the session FILE, knows what was said before, and adds to it
goes_on() {
  local before after
  before=$(wc -c < "$2")
  cp "$2" "$work/before.jsonl"
  on "$1" pi --session "$2" -p "go on" > "$work/answer" || fail "Pi does not open $2"
  grep -q "ok: go on" "$work/answer" || fail "Pi answers: $(cat "$work/answer")"
  after=$(wc -c < "$2")
  [ "$after" -gt "$before" ] || fail "Pi added nothing to $2"
  head -c "$before" "$2" | cmp - "$work/before.jsonl" || fail "Pi changed what was there"
  tail -1 "$work/model.log" | grep -q '"nmsgs":\([4-9]\|[1-9][0-9]\)' || fail "the model was not told what was said before"
}

echo "== A: three sessions, each forked from the one before"
on a pi -p "first" > /dev/null
first=$(on a sessions)
on a pi --fork "$first" -p "second" > /dev/null
second=$(on a sessions | grep -vxF "$first")
on a pi --fork "$second" -p "third" > /dev/null
third=$(on a sessions | grep -vxF -e "$first" -e "$second")
grep -q '"parentSession"' "$third" || fail "Pi wrote no parentSession"

echo "== A: publish"
branch=$(on a varve pi publish -q)
[ "$branch" = "$(on a varve pi publish -q "$third")" ] || fail "the newest session is another one"
[ "$branch" = "$(on a varve pi publish -q --verify --states none "$third")" ] || fail "reading everything gives another hash"
on a varve pi publish "$third" --json | grep -q '"chain":3' || fail "not three sessions in a line"
if command -v b3sum > /dev/null; then
  parent=null
  for session in "$first" "$second" "$third"; do
    printf '{"type":"branch","version":1,"src":"%s","parent":%s}' "$(b3sum --no-names "$session")" "$parent" > "$work/sidecar"
    parent="\"$(b3sum --no-names "$work/sidecar")\""
  done
  [ "$parent" = "\"$branch\"" ] || fail "b3sum gives the branch $parent"
fi
on a varve pi push "$branch" --to "$work/stick" > /dev/null
on a varve pi bundle "$branch" -o "$work/x.bundle" > /dev/null
on a varve pi verify "$work/x.bundle"

echo "== A: serve"
on a serve > "$work/serve.out" 2>&1 &
for _ in $(seq 300); do
  address=$(grep -om1 'http://[^ ,]*' "$work/serve.out" || true)
  [ -z "$address" ] || break
  sleep 0.2
done
pids+=("$(cat "$work/serve.pid")")
[ -n "$address" ] || fail "varve serve: $(cat "$work/serve.out")"

number=0
for from in "$work/stick" "$work/x.bundle" "$address"; do
  number=$((number + 1))
  b=b$number
  echo "== B$number: get from ${from%%:*}"
  file=$(on $b varve pi get "$branch" --from "$from" --parents -q)
  cmp "$file" "$third" || fail "other bytes"
  [ "$(on $b sessions | wc -l)" = 3 ] || fail "its parents are not there"
  [ "$(on $b sessions | sed 's/.*sessions//')" = "$(on a sessions | sed 's/.*sessions//')" ] || fail "Pi would keep them elsewhere"
  on $b varve pi verify "$branch" > /dev/null || fail "not whole in the store"
  goes_on $b "$file"
  grown=$(on $b varve pi publish -q "$file")
  [ "$grown" != "$branch" ] || fail "it grew, and has the same hash"
  on $b varve pi publish "$file" --json | grep -q "\"chain\":3" || fail "it lost its parents"

  echo "== B$number: a new session of its own folder"
  new=$(on $b varve pi get "$branch" --from "$from" -o "$work/copy$number.jsonl" -q) && cmp "$new" "$third" || fail "no copy"
  repo=$(on $b pwd -P)
  rm "$file" # it went on; this is about the one that was fetched
  new=$(on $b varve pi get "$branch" --cwd "$repo" -q)
  on $b pi --continue -p "go on" > "$work/answer" || fail "Pi does not continue"
  grep -q 'go on' "$new" || fail "Pi continued another session than $new"
  goes_on $b "$new"
done

echo "== A: what went on elsewhere comes back, and overwrites nothing"
on $b varve pi push "$grown" --to "$work/back" > /dev/null
kill "${pids[1]}"
while kill -0 "${pids[1]}" 2> /dev/null; do sleep 0.1; done
sum=$(cksum < "$third")
status=0
on a varve pi get "$grown" --from "$work/back" > /dev/null 2> "$work/refused" || status=$?
[ $status = 2 ] && grep -q "earlier version" "$work/refused" || fail "status $status: $(cat "$work/refused")"
[ "$sum" = "$(cksum < "$third")" ] || fail "Pi's file was changed"
echo "three computers took three sessions from a folder, a bundle and a server, and went on with them"
