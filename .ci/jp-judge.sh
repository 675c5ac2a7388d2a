#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# JP's own loader as the judge. Builds JP's storage from its sources (ten minutes on one core; needs cargo and its registry),
# then: what `varve jp check` is held to in the unit tests is what JP does; a real workspace that was externalized is unreadable
# for JP where `check` says so and nowhere else; inlined again, JP understands it as before, event by event.
#
# usage: jp-judge.sh SOURCES FOLDER [BUILD]     SOURCES: JP's repository or its files; FOLDER with a-real/; BUILD is kept if given
set -euo pipefail
sources=$1
folder=$2
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build=${3:-$work/build}
varve=${VARVE:-$root/varve}

if [ ! -x "$build/target/debug/judge" ]; then
  mkdir -p "$build/judge/src"
  if git -C "$sources" rev-parse --git-dir > /dev/null 2>&1; then
    git -C "$sources" archive HEAD | tar x -C "$build"
  else
    cp -r "$sources/." "$build"
  fi
  cp "$root/.ci/jp-judge/main.rs" "$build/judge/src/main.rs"
  python3 "$root/.ci/jp-judge/trim.py" "$build"
  (cd "$build" && cargo build -q -j1 -p judge)
fi
judge() {
  local data=$1
  shift
  JP_USER_DATA_DIR=$data "$build/target/debug/judge" "$@"
}

table=$root/agents/src/test/resources/dev/varve/jp/stock-jp.tsv
python3 "$root/.ci/jp-judge/table.py" make "$table" "$work/table"
judge "$work/table-data" "$work/table" sanitize rewrite > "$work/said"
python3 "$root/.ci/jp-judge/table.py" compare "$table" "$work/table" "$work/said"

cp -rp "$folder/a-real/ws-otvo8" "$work/ws"
chmod -R u+w "$work"
export JP_USER_DATA_DIR=$work/data
verdicts() {
  ("$varve" jp check --json -w "$work/ws" || true) | python3 -c '
import json, sys
seen = {}
for line in sys.stdin:
    said = json.loads(line)
    if "/.archive/" not in said["folder"]:
        seen[said["conversation"].lstrip("jp-c")] = "OK" if said["verdict"] in ("reads", "loses") else "ERROR"
for digits in sorted(seen): print(digits, seen[digits])'
}
judge "$work/data" "$work/ws" > "$work/before"
diff <(cut -d' ' -f1,2 "$work/before") <(verdicts)
"$varve" jp externalize --format rfd066 -w "$work/ws" > /dev/null 2>&1
judge "$work/data" "$work/ws" > "$work/during"
diff <(cut -d' ' -f1,2 "$work/during") <(verdicts)
"$varve" jp inline -w "$work/ws" > /dev/null
judge "$work/data" "$work/ws" | diff "$work/before" -
echo "$(grep -c OK "$work/before") conversations JP understands as before, $(grep -c ERROR "$work/during") it could not read meanwhile, as foretold"
