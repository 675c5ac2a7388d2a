#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The command where its surroundings are poor: no UTF-8 locale, a closed standard input, a store in use, a narrow terminal.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export VARVE_STORE=$work/store
varve=$root/varve

expect() { # expect WHAT FOUND WANTED
  [ "$2" = "$3" ] || { printf 'FAILED: %s\n  found  %s\n  wanted %s\n' "$1" "$2" "$3" >&2; exit 1; }
}

"$varve" new > "$work/context"
expect "a key in a locale without UTF-8" "$(echo same | LC_ALL=C "$varve" append 1 --key é)" 1
expect "another key is another turn" "$(echo same | LC_ALL=C "$varve" append 1 --key ü)" 2
expect "the same key in a UTF-8 locale" "$(echo same | LC_ALL=C.UTF-8 "$varve" append 1 --key é)" 1
LC_ALL=C "$varve" new --title 'Füße' > "$work/context"
"$varve" contexts --json | grep -q 'Füße' || { echo 'FAILED: a title lost its letters' >&2; exit 1; }

status=0
"$varve" put <&- > "$work/out" 2> "$work/err" || status=$?
expect "a closed standard input" "$status" 74

for i in 1 2 3 4; do
  (echo "parallel $i" | "$varve" append 1 > "$work/turn$i") &
done
wait
expect "commands at once wait for each other" "$(sort -u "$work"/turn[1-4] | wc -l)" 4

# The caches are trained beside the first start. Java says where each class comes from.
for command in contexts check; do
  for _ in $(seq 120); do
    VARVE_JAVA_OPTS="-Xlog:class+load:file=$work/classes" "$varve" $command > "$work/out"
    grep -q 'dev.varve.cli.Main source: shared objects file' "$work/classes" && break
    sleep 1
  done
  grep -q 'dev.varve.cli.Main source: shared objects file' "$work/classes" || {
    echo "FAILED: '$command' starts without a cache" >&2
    exit 1
  }
done

COLUMNS=40 "$varve" contexts > "$work/out"
"$varve" check > "$work/out"
echo "the command does well in poor surroundings"
