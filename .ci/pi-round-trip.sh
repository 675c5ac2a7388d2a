#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Imports every session file under a folder into a new store, exports each again and compares the bytes; then imports
# again, which must add nothing.
#
# usage: pi-round-trip.sh FOLDER
set -euo pipefail
folder=$1
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export VARVE_STORE=$work/store

"$root/varve" import pi "$folder" --json > "$work/first.jsonl"
"$root/varve" import pi "$folder" --json > "$work/second.jsonl"
python3 - "$work" "$root/varve" "$folder" << 'PY'
import json, os, subprocess, sys
work, varve, folder = sys.argv[1:]
def files(name):
    rows = [json.loads(line) for line in open(os.path.join(work, name))]
    return [row for row in rows if row.get("file")]
first, second = files("first.jsonl"), files("second.jsonl")
found = sum(name.endswith(".jsonl") for _, _, names in os.walk(folder) for name in names)
assert len(first) == found, (len(first), found)
compared = 0
for row in first:
    context = row["manifest_context"]
    out = os.path.join(work, "out.jsonl")
    if os.path.exists(out):
        os.remove(out)
    subprocess.run([varve, "export", "pi", str(context), "-o", out], check=True, stdout=subprocess.DEVNULL)
    with open(out, "rb") as a, open(row["file"], "rb") as b:
        assert a.read() == b.read(), row["file"]
    compared += 1
for row in second:
    assert row["turns_new"] == 0 and row["contexts_new"] == 0, row
shared = sum(row.get("turns_shared", 0) for row in first)
assert shared > 0, "forks share no turns"
print(f"{compared} files identical; {shared} turns shared between sessions; importing again added nothing")
PY
"$root/varve" check
"$root/varve" stats
