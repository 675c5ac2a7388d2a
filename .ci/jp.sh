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
