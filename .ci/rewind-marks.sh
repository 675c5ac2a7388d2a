#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Reads the real sessions that the reference's rewind extension wrote, and compares which snapshot Varve gives each entry with what
# the repair rule says, worked out here by itself.
#
# usage: rewind-marks.sh FOLDER    after a build; JAVA_HOME is a JDK 25
set -euo pipefail
folder=$1
cd "$(dirname "$0")/.."
jars=$(find "$HOME/.m2" -name 'jackson-core-3*.jar' | sort | tail -1)
mapfile -t files < <(grep -rl --include='*.jsonl' '"customType":"rewind-turn"' "$folder" | sort)
"$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED \
  -cp "agents/target/test-classes:agents/target/classes:core/target/classes:$jars" \
  dev.varve.rewind.pi.ReferencePoints "${files[@]}" |
  python3 -c '
import json, sys
found = {}
for line in sys.stdin:
    file, entry, snapshot = line.rstrip("\n").split("\t")
    found.setdefault(file, {})[entry] = snapshot
marks = wrong = points = 0
for file in sys.argv[1:]:
    entries, expected = {}, {}
    for line in open(file, encoding="utf-8", errors="replace"):
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict) and "id" in entry and entry.get("type") != "session":
            entries[entry["id"]] = entry
    is_user = lambda id: entries.get(id, {}).get("message", {}).get("role") == "user"
    for entry in entries.values():
        kind, data = entry.get("customType"), entry.get("data")
        if kind not in ("rewind-turn", "rewind-op") or data.get("v") != 2:
            continue
        first, up = None, entries.get(entry["parentId"])
        while up is not None and up.get("customType") not in ("rewind-turn", "rewind-op"):
            first = up["id"] if is_user(up["id"]) else first
            up = entries.get(up.get("parentId"))
        for id, place in data.get("bindings", []):
            if kind == "rewind-turn" and (is_user(id) or id not in entries):
                marks += 1
                wrong += id != first
                id = first
            if id is not None:
                expected.setdefault(id, data["snapshots"][place])
    assert found.get(file, {}) == expected, (file, found.get(file), expected)
    points += len(expected)
assert wrong > 0
print(f"{len(sys.argv) - 1} sessions, {points} points as they must be; {wrong} of {marks} marks named a wrong message")
' "${files[@]}"
