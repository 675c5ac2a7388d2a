#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Externalizes a copy of a real JP workspace, compares every blob with the list of what is expected, and inlines it again:
# the files must be what they were, times included. Then the pairs of files in all styles.
#
# usage: jp.sh FOLDER     a folder with a-real/, b-rfd066/ and expected/
set -euo pipefail
folder=$1
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
varve=${VARVE:-$root/varve}
export JP_USER_DATA_DIR=$work/nobody

cp -rp "$folder/a-real/ws-otvo8" "$work/ws"
cp -rp "$folder/a-real/ws-otvo8" "$work/before"
chmod -R u+w "$work"

listing() {
  (cd "$1/.jp/conversations" && find . -type f -printf '%P %T@ %m\n' | LC_ALL=C sort)
}

if "$varve" jp externalize -w "$work/ws" > /dev/null 2>&1; then
  echo "externalized without being asked for the form" >&2
  exit 1
fi
diff -r "$work/before" "$work/ws"

"$varve" jp externalize --format rfd066 -w "$work/ws" | tail -1
python3 - "$folder/expected/a-real-payloads.jsonl" "$work/ws" << 'PY'
import gzip, hashlib, json, os, sys
listed, workspace = sys.argv[1:]
payloads = [json.loads(line) for line in open(listed)]
expected = {payload["path"]: payload for payload in payloads}
found = {os.path.relpath(os.path.join(parent, name), workspace)
         for parent, _, names in os.walk(os.path.join(workspace, ".jp/blobs"))
         for name in names if name.endswith(".blob.gz")}
assert found == set(expected), found ^ set(expected)
for path, payload in expected.items():
    content = gzip.decompress(open(os.path.join(workspace, path), "rb").read())
    assert len(content) == payload["size"] and hashlib.sha256(content).hexdigest() == payload["sha256"], path
print(f"{len(payloads)} payloads, {len(expected)} blobs, all as expected")
PY

listing "$work/ws" | grep -v varve-spelling.json > "$work/during.txt"
listing "$work/before" > "$work/before.txt"
diff <(cut -d' ' -f1,2 "$work/before.txt") <(cut -d' ' -f1,2 "$work/during.txt")

"$varve" jp inline -w "$work/ws" | tail -1
diff -r "$work/before/.jp/conversations" "$work/ws/.jp/conversations"
diff "$work/before.txt" <(listing "$work/ws")
echo "all files are what they were, times included"

mkdir -p "$work/styles/.jp/conversations"
printf 'id\nabcde' > "$work/styles/.jp/.id"
number=17800000100
for before in "$folder"/b-rfd066/b03-styles/*.before.json "$folder"/b-rfd066/b03-styles/reject/*.json \
  "$folder"/b-rfd066/b01-inline-forms/.jp/conversations/*/events.json; do
  number=$((number + 1))
  mkdir "$work/styles/.jp/conversations/$number"
  cp "$before" "$work/styles/.jp/conversations/$number/events.json"
  case $before in
    */b01-inline-forms/*) after=$folder/b-rfd066/b01-inline-forms/events.after.json ;;
    */reject/*) after=$before ;;
    *) after=${before%.before.json}.after.json ;;
  esac
  echo "$number $after" >> "$work/styles.txt"
done
"$varve" jp externalize --format rfd066 -w "$work/styles" > /dev/null 2>&1 && exit 1
while read -r number after; do
  cmp "$after" "$work/styles/.jp/conversations/$number/events.json"
done < "$work/styles.txt"
echo "$(wc -l < "$work/styles.txt") files in all styles are as expected"

# The rule by which a flat string is decoded, case by case, and back.
mkdir -p "$work/flat/.jp/conversations/17800000200"
printf 'id\nabcde' > "$work/flat/.jp/.id"
events=$work/flat/.jp/conversations/17800000200/events.json
python3 - "$folder/expected/b06-flat-content.json" "$events" << 'PY'
import json, sys
cases = json.load(open(sys.argv[1]))["cases"]
json.dump([{"timestamp": "2026-06-01 10:00:00.0", "type": "tool_call_response", "id": f"c{i}", "content": case["stored"],
            "is_error": False} for i, case in enumerate(cases)], open(sys.argv[2], "w"), indent=2)
PY
cp "$events" "$work/flat-before.json"
"$varve" jp externalize --format rfd066 -w "$work/flat" > /dev/null
python3 - "$folder/expected/b06-flat-content.json" "$events" "$work/flat/.jp/blobs" << 'PY'
import gzip, json, sys
cases = json.load(open(sys.argv[1]))["cases"]
events = json.load(open(sys.argv[2]))
for case, event in zip(cases, events, strict=True):
    [block] = event["content"]
    assert block == {"type": "text", "content": {"$blob": case["sha256"], "size": case["size"]}}, (case, block)
    digits = case["sha256"]
    file = f"{sys.argv[3]}/{digits[:2]}/{digits[2:4]}/{digits[4:]}.blob.gz"
    assert gzip.open(file).read().decode() == case["content"], case
print(f"{len(cases)} strings decoded as JP decodes them")
PY
"$varve" jp inline -w "$work/flat" > /dev/null
cmp "$work/flat-before.json" "$events"

# Two roots: which copy counts, whose blobs are whose, and what a rewrite does to the order of the copies.
cp -r "$folder/b-rfd066/b05-two-roots" "$work/two"
chmod -R u+w "$work/two"
while IFS=$'\t' read -r file time; do
  touch -d "$time" "$work/two/$file"
done < "$work/two/mtimes.tsv"
unset JP_USER_DATA_DIR
export XDG_DATA_HOME=$work/two/data
silo=$work/two/data/jp/workspace/b05-b05aa
(cd "$work/two/ws" && "$varve" jp show --json) | python3 -c '
import json, sys
expected = json.load(open(sys.argv[1]))
said = [json.loads(line) for line in sys.stdin]
presence = {each["conversation"].removeprefix("jp-c"): each["presence"] for each in said}
assert presence == expected["presence"], presence' "$folder/expected/b05.json"
shown() {
  "$varve" jp print jp-c17800000051 -w "$work/two/ws"
}
shown > "$work/two.txt"
gzip -dc "$work/two/ws/.jp/blobs/54/a9"/*.gz > "$work/newer.txt"
grep -qFf "$work/newer.txt" "$work/two.txt"
"$varve" jp inline -w "$work/two/ws" > /dev/null
shown | diff "$work/two.txt" -
"$varve" jp externalize --format rfd066 -w "$work/two/ws" > /dev/null
shown | diff "$work/two.txt" -
mkdir -p "$silo/blobs/54/a9"
mv "$work/two/ws/.jp/blobs/54/a9"/*.gz "$silo/blobs/54/a9/" # lost here, and there all the same
printf nobody | gzip > "$work/orphan.gz"
orphan=$(printf nobody | sha256sum | cut -d' ' -f1)
mkdir -p "$silo/blobs/${orphan:0:2}/${orphan:2:2}"
cp "$work/orphan.gz" "$silo/blobs/${orphan:0:2}/${orphan:2:2}/${orphan:4}.blob.gz"
find "$work/two" -name '*.blob.gz' -exec touch -d '2 years ago' {} +
"$varve" jp gc --grace 0 -w "$work/two/ws" | grep '^removed' > "$work/removed.txt"
[ "$(wc -l < "$work/removed.txt")" = 1 ] && grep -q "$orphan" "$work/removed.txt"
shown | diff "$work/two.txt" -
echo "two roots: the newer copy counts before and after, and each root keeps what the other refers to"
