#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Joins the different lines of all session files under a folder into one session, imports it, publishes it, and compares
# the bytes on the disk: published, too, it must take at most a tenth more (docs/decisions/0016-lines-are-chunks.md).
#
# usage: pi-once.sh FOLDER
set -euo pipefail
folder=$1
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 - "$folder" "$work/session.jsonl" << 'PY'
import os, sys
folder, target = sys.argv[1:]
header, lines = b"", {}
for place, _, names in sorted(os.walk(folder)):
    for name in sorted(name for name in names if name.endswith(".jsonl")):
        path = os.path.join(place, name)
        for line in open(path, "rb").read().split(b"\n") if os.path.isfile(path) else []:
            if b'"type":"session"' in line[:40]:
                header = header or line
            elif line:
                lines[line] = None
with open(target, "wb") as file:
    file.write(b"\n".join([header, *lines, b""]))
PY

taken() {
  du -sb "$1" | cut -f 1
}

"$root/varve" import pi --store "$work/imported" "$work/session.jsonl" > "$work/out" 2>&1
"$root/varve" import pi --store "$work/both" --publish "$work/session.jsonl" > "$work/out" 2>&1
one=$(taken "$work/imported")
both=$(taken "$work/both")
if [ $((both * 10)) -gt $((one * 11)) ]; then
  echo "imported: $one bytes, imported and published: $both bytes" >&2
  exit 1
fi
branch=$(tail -n 1 "$work/out" | cut -c 1-64)
"$root/varve" pi get --store "$work/both" "$branch" -o "$work/got.jsonl" > /dev/null
cmp "$work/session.jsonl" "$work/got.jsonl"
echo "imported: $one bytes, imported and published: $both bytes"
