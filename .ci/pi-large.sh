#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Reads a large session in a small heap: tree, doctor, list, and the search for credentials, each with 256 MB. The session has
# a line of 32 MiB and lines of some KB. Then lists 3,000 sessions of some MB by their ends: no more than 64 KiB is read of each.
#
# usage: pi-large.sh [SIZE-IN-MIB]      (2048)
set -euo pipefail
size=${1:-2048}
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export VARVE_JAVA_OPTS=-Xmx256m

python3 - "$work" "$size" << 'PY'
import os, sys
work, size = sys.argv[1], int(sys.argv[2]) << 20
HEADER = b'{"type":"session","version":3,"id":"%s","timestamp":"2026-11-27T20:37:21.818Z","cwd":"/src"}\n'
def entry(n, role, text):
    parent = '"%08x"' % (n - 1) if n > 1 else "null"
    return ('{"type":"message","id":"%08x","parentId":%s,"timestamp":"2026-11-27T20:38:%02d.000Z","message":'
            '{"role":"%s","content":[{"type":"text","text":"%s"}]}}\n' % (n, parent, n % 60, role, text)).encode()
with open(os.path.join(work, "large.jsonl"), "wb", buffering=1 << 20) as out:
    out.write(HEADER % b"large")
    n = written = 0
    while written < size:
        n += 1
        text = "word %d and more of it " % n
        line = entry(n, "user" if n % 10 == 1 else "assistant", "long " * ((32 << 20) // 5) if n == 500 else text * 250)
        written += out.write(line)
os.makedirs(os.path.join(work, "many"))
first = os.path.join(work, "many", "0000.jsonl")
with open(first, "wb") as out:
    out.write(HEADER % b"0000")
    for i in range(1, 1000):
        out.write(entry(i, "user" if i == 1 else "assistant", "word " * 400))
for i in range(1, 3000):
    os.link(first, os.path.join(work, "many", "%04d.jsonl" % i))
print(n, "entries,", os.path.getsize(os.path.join(work, "large.jsonl")) >> 20, "MiB")
PY
"$root/varve" pi doctor "$work/large.jsonl"
"$root/varve" pi tree "$work/large.jsonl" | tail -2 | cut -c 1-120
"$root/varve" pi sessions "$work" -n 1 | tail -1
"$root/varve" pi scan "$work/large.jsonl"
"$root/varve" pi sessions "$work/many" --all --json | python3 -c '
import json, sys
rows = [json.loads(line) for line in sys.stdin]
assert len(rows) == 3000, len(rows)
assert all(row["read_bytes"] <= 65536 < row["size_bytes"] for row in rows), rows[0]
assert all(row["first_prompt"].startswith("word") for row in rows)
print("3,000 sessions of", rows[0]["size_bytes"], "bytes listed;", rows[0]["read_bytes"], "bytes read of each")'
