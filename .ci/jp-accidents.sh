#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Accidents on a JP workspace: each command that writes is killed (KILL) at random moments, and run on a disk that is really full.
# After each accident every file is whole, every payload can be had, and the command run once more ends where an undisturbed run
# ends: the same bytes, the same times. Makes its own workspace. Full disks need root, for a file system of their own.
#
# usage: jp-accidents.sh [ROUNDS] [SEED]
set -euo pipefail
rounds=${1:-6}
RANDOM=${2:-66}
seed=${2:-66}
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
disk=
trap '[ -z "$disk" ] || umount "$disk"; rm -rf "$work"' EXIT
varve=${VARVE:-$root/varve}
export JP_USER_DATA_DIR=$work/nobody

fail() {
  echo "seed $seed: $*" >&2
  exit 1
}

python3 - "$work/plain" << 'PY'
import base64, json, os, random, sys
draw = random.Random(1)
words = [bytes(draw.randrange(97, 123) for _ in range(draw.randrange(2, 9))).decode() for _ in range(3000)]
texts = [" ".join(draw.choice(words) for _ in range(draw.randrange(1, 1500))) for _ in range(240)]
conversations = sys.argv[1] + "/.jp/conversations"
os.makedirs(conversations)
open(sys.argv[1] + "/.jp/.id", "w").write("id\nab1cd")
for number in range(40):
    folder = f"{conversations}/{17800000000 + number}-storm-{number}"
    os.mkdir(folder)
    events = [{"timestamp": "2026-06-01 10:00:00.0", "type": "turn_start"}]
    for call in range(10):
        text = draw.choice(texts).encode()
        stored = text.decode() if number % 7 == 3 else base64.b64encode(text).decode()
        events.append({"timestamp": "2026-06-01 10:00:01.0", "type": "tool_call_response", "id": f"c{call}",
                       "content": stored, "is_error": False})
    json.dump(events, open(folder + "/events.json", "w"), indent=2 if number % 3 else 4)
    json.dump({"last_activated_at": "2026-06-01 10:00:00.0"}, open(folder + "/metadata.json", "w"))
    open(folder + "/base_config.json", "w").write("{}")
    for name in ("events.json", "metadata.json", "base_config.json"):
        os.utime(f"{folder}/{name}", (1780000000 + number, 1780000000 + number))
PY

run() { # a command in the workspace $1; what it says goes to $work/said
  local workspace=$1
  shift
  "$varve" jp "$@" -w "$workspace" > "$work/said" 2>&1
}

state() { # all that counts of a workspace: files of conversations with their times, blobs
  (cd "$1/.jp" && {
    find conversations -type f -not -name varve-spelling.json -printf '%T@ %p\n'
    find conversations -type f -exec sha256sum {} +
    [ ! -d blobs ] || find blobs -name '*.blob.gz' -not -path '*/.trash/*' -exec sha256sum {} +
  } | LC_ALL=C sort)
}

whole() { # each events.json of $1 is that of $2 or that of $3, and what is referred to is there
  local file name
  for file in "$1"/.jp/conversations/*/events.json; do
    name=${file#"$1"/}
    cmp -s "$file" "$2/$name" || cmp -s "$file" "$3/$name" || fail "$4: $name is neither the old file nor the new"
  done
  run "$1" verify || fail "$4: $(cat "$work/said")"
}

copy() {
  rm -rf "$2"
  cp -rp "$1" "$2"
}

accidents() { # a name, the state before, and the command
  local name=$1 before=$2 took round pid wait_ms
  shift 2
  copy "$before" "$work/calm"
  took=$(date +%s%N)
  run "$work/calm" "$@" || fail "$name, undisturbed: $(cat "$work/said")"
  took=$((($(date +%s%N) - took) / 1000000))
  state "$work/calm" > "$work/calm.txt"
  local hit=0
  for round in $(seq "$rounds"); do
    copy "$before" "$work/hit"
    "$varve" jp "$@" -w "$work/hit" > /dev/null 2>&1 &
    pid=$! wait_ms=$((took / 4 + RANDOM % (took * 3 / 4)))
    sleep "$(printf '%d.%03d' $((wait_ms / 1000)) $((wait_ms % 1000)))"
    kill -9 "$pid" 2> /dev/null && hit=$((hit + 1))
    wait "$pid" 2> /dev/null || true
    whole "$work/hit" "$before" "$work/calm" "$name, killed after $wait_ms ms"
    run "$work/hit" "$@" || fail "$name, again after a kill at $wait_ms ms: $(cat "$work/said")"
    state "$work/hit" | diff "$work/calm.txt" - || fail "$name, killed after $wait_ms ms: ends elsewhere"
  done
  echo "$name: killed $hit times of $rounds, and ended where it should"
  copy "$work/calm" "$work/after-$name"
}

full() { # a name, the state before, and the command, on a disk with hardly any room
  local name=$1 before=$2 size
  shift 2
  if [ -z "$disk" ]; then
    return
  fi
  rm -rf "${disk:?}"/ws "$disk"/ballast
  mount -o remount,size=64m "$disk"
  cp -rp "$before" "$disk/ws"
  size=$(df --output=used -k "$disk" | tail -1)
  mount -o remount,size=$((size + 60))k "$disk"
  if run "$disk/ws" "$@"; then
    fail "$name: went well on a full disk"
  fi
  grep -qi "no space\|full\|room" "$work/said" || fail "$name: does not say that the disk is full: $(cat "$work/said")"
  whole "$disk/ws" "$before" "$work/after-$name" "$name, disk full"
  [ -z "$(find "$disk/ws" -name '*.part')" ] || fail "$name: leaves drafts behind on a full disk"
  mount -o remount,size=64m "$disk"
  run "$disk/ws" "$@" || fail "$name, with room again: $(cat "$work/said")"
  state "$disk/ws" > "$work/full.txt"
  state "$work/after-$name" | diff - "$work/full.txt" || fail "$name, disk full: ends elsewhere"
  echo "$name: on a full disk says so, loses nothing, and goes on once there is room"
}

accidents externalize "$work/plain" externalize --format rfd066
accidents inline "$work/after-externalize" inline
diff -r "$work/plain/.jp/conversations" "$work/after-inline/.jp/conversations"
accidents migrate "$work/plain" migrate --format rfd066
accidents back "$work/after-migrate" migrate --back

copy "$work/after-externalize" "$work/swept"
rm -r "$work/swept/.jp/conversations"/178000000[12]*
find "$work/swept/.jp/blobs" -name '*.blob.gz' -exec touch -d '2 years ago' {} +
accidents gc "$work/swept" gc --grace 0
accidents gc-for-good "$work/swept" gc --grace 0 --trash 0

if [ "$(id -u)" = 0 ] && mkdir "$work/disk" && mount -t tmpfs -o size=64m tmpfs "$work/disk" 2> /dev/null; then
  disk=$work/disk
else
  echo "!!!! NOT RUN: full disks, for a file system of its own cannot be mounted here" >&2
fi
full externalize "$work/plain" externalize --format rfd066
full inline "$work/after-externalize" inline
full migrate "$work/plain" migrate --format rfd066
if [ -n "$disk" ]; then # sweeping makes room, so it must need none
  rm -rf "$disk/ws"
  cp -rp "$work/swept" "$disk/ws"
  mount -o remount,size="$(df --output=used -k "$disk" | tail -1 | tr -d ' ')k" "$disk"
  run "$disk/ws" gc --grace 0 --trash 0 || fail "gc on a full disk: $(cat "$work/said")"
  state "$disk/ws" | diff "$work/calm.txt" - || fail "gc on a full disk: ends elsewhere"
  mount -o remount,size=64m "$disk"
  echo "gc: works on a full disk"
fi

imported() { # whether a store is whole, and some of the conversations in it come back
  local store=$1 context
  "$varve" check --store "$store" > "$work/said" 2>&1 || fail "check: $(cat "$work/said")"
  "$varve" import jp -w "$work/after-externalize" --store "$store" --json > "$work/again.jsonl"
  ! grep -q '"new":true' "$work/again.jsonl" || fail "import: what was imported is imported again"
  rm -rf "$work/out"
  for context in $(sed -n 's/.*"context_id":"\([0-9]*\)".*/\1/p' "$work/again.jsonl" | awk 'NR % 8 == 4'); do
    "$varve" export jp "$context" -o "$work/out" --store "$store" > /dev/null
  done
  for folder in "$work/out/conversations"/*; do
    diff -r "$work/after-externalize/.jp/conversations/${folder##*/}" "$folder"
  done
}
took=$(date +%s%N)
"$varve" import jp -w "$work/after-externalize" --store "$work/calm-store" > "$work/said" 2>&1
took=$((($(date +%s%N) - took) / 1000000))
for round in $(seq $((rounds / 2))); do
  rm -rf "$work/store"
  "$varve" import jp -w "$work/after-externalize" --store "$work/store" > /dev/null 2>&1 &
  pid=$! wait_ms=$((took / 4 + RANDOM % (took * 3 / 4)))
  sleep "$(printf '%d.%03d' $((wait_ms / 1000)) $((wait_ms % 1000)))"
  kill -9 "$pid" 2> /dev/null || true
  wait "$pid" 2> /dev/null || true
  "$varve" import jp -w "$work/after-externalize" --store "$work/store" > "$work/said" 2>&1 || fail "import again: $(cat "$work/said")"
done
imported "$work/store"
echo "import: killed, completed, and everything comes back byte for byte"
