#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What reaches a real disk when a file is replaced durably, as strace sees it: the new file is forced, then renamed, then its
# folder is forced. Shown for the list of tokens and for Pi's index of branches. And what reaches it in the life of a store. Takes the built
# jar, strace and a JDK 25 in
# JAVA_HOME.
set -euo pipefail
cd "$(dirname "$0")/.."
: "${JAVA_HOME:?needs a JDK 25}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

traced() {
  strace -f -qq -y -e trace=fsync,fdatasync,rename,renameat,renameat2 -o "$work/calls" \
    "$JAVA_HOME/bin/java" -XX:TieredStopAtLevel=1 -jar cli/target/varve.jar "$@" > "$work/out" 2> "$work/err" ||
    { cat "$work/err"; exit 1; }
}

# The three calls for the file $1, in this order.
replaced_durably() {
  awk -v target="$1" -v folder="${1%/*}" '
    /(fsync|fdatasync)\(/ && index($0, folder "/.varve-") && /\.part>\) += 0/ { forced = 1 }
    /rename/ && index($0, folder "/.varve-") && index($0, "\"" target "\"") && forced { renamed = 1 }
    /fsync\(/ && index($0, "<" folder ">") && renamed { durable = 1 }
    END { exit !durable }' "$work/calls" || { echo "$1 is not replaced durably:"; cat "$work/calls"; exit 1; }
  echo "${1##*/}: forced, renamed, and its folder forced"
}

mkdir "$work/place"
traced token create ci --token-file "$work/place/tokens"
replaced_durably "$work/place/tokens"
traced token revoke ci --token-file "$work/place/tokens"
replaced_durably "$work/place/tokens"

printf '%s\n' '{"type":"session","version":3,"id":"one","timestamp":"2026-11-28T00:00:00.000Z","cwd":"/work"}' \
  '{"type":"message","id":"a1b2c3d4","parentId":null,"timestamp":"2026-11-28T00:00:01.000Z","message":{"role":"user","content":"hello"}}' \
  > "$work/session.jsonl"
traced pi publish --store "$work/store" "$work/session.jsonl"
replaced_durably "$work/store/pi/manifest.json"

# The calls for an orderly life of a store: the journal before everything else, at the end the files of records and the folder,
# and the checkpoint behind them.
awk -v store="$work/store" '
  /fdatasync\(/ && index($0, store "/journal.a>") && /\) += 0/ { journal = NR }
  /fdatasync\(/ && index($0, store "/blobs.pack>") && journal { pack = NR }
  /fsync\(/ && index($0, "<" store ">") && pack { folder = NR }
  /fdatasync\(/ && index($0, store "/checkpoint.tbl>") && folder > pack && pack > journal { ordered = 1 }
  END { exit !ordered }' "$work/calls" || { echo "the store is not forced in order:"; cat "$work/calls"; exit 1; }
echo "store: journal, files, folder and checkpoint forced in this order"
