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

# Status 74: a file in the folder is no session.
"$root/varve" import pi "$folder" --json > "$work/first.jsonl" || [ $? = 74 ]
"$root/varve" import pi "$folder" --json > "$work/second.jsonl" || [ $? = 74 ]
python3 - "$work" "$root/varve" "$folder" << 'PY'
import json, os, subprocess, sys
work, varve, folder = sys.argv[1:]

def rows(name):
    return [json.loads(line) for line in open(os.path.join(work, name))]

def export(context):
    out = os.path.join(work, "out.jsonl")
    if os.path.exists(out):
        os.remove(out)
    subprocess.run([varve, "export", "pi", str(context), "-o", out], check=True, stdout=subprocess.DEVNULL)
    with open(out, "rb") as file:
        return file.read()

def content(path):
    with open(path, "rb") as file:
        return file.read()

def session(row):
    """Whether the file is a session; one that is not was refused."""
    return not (row["outcome"] == "failed" and row["problems"][0]["what"].startswith("expected a session of Pi"))

first, second = rows("first.jsonl"), rows("second.jsonl")
found = sum(name.endswith(".jsonl") for _, _, names in os.walk(folder) for name in names)
assert len(first) == found, f"{found} files, {len(first)} imported"
first, second = [row for row in first if session(row)], [row for row in second if session(row)]
for row in first:
    assert row["outcome"] != "failed", row
    assert export(row["manifest_context_id"]) == content(row["file"]), row["file"]
for row in second:
    assert row["outcome"] == "unchanged" and row["turns_new"] == 0 and row["contexts_new"] == 0, row
shared = sum(row["turns_shared"] for row in first)
assert shared > 0, "forks share no turns"

whole = {content(row["file"]) for row in first}
listed = subprocess.run([varve, "contexts", "-n", "12", "--json"], check=True, capture_output=True, text=True).stdout
leaves = [json.loads(line)["context_id"] for line in listed.splitlines()]
for leaf in leaves:
    assert export(leaf) in whole, f"context {leaf}"
print(f"{len(first)} files identical, {len(leaves)} leaf contexts give their file, "
      f"{shared} turns shared between sessions, importing again added nothing")
PY
"$root/varve" check
"$root/varve" stats
