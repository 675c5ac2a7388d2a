#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Examines every session file under a folder: each must be diagnosed as expected, every copy must be sound, and the copies
# of healthy files must be the files. Where real Pi is installed it must open each copy and find every entry in it.
#
# usage: pi-doctor.sh FOLDER [FOLDER-WITH-PI-PACKAGES...]
set -euo pipefail
folder=$1
shift
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat > "$work/load.mjs" << 'JS'
import { pathToFileURL } from "node:url";
const [pi, ...files] = process.argv.slice(2);
const { SessionManager } = await import(pathToFileURL(pi + "/dist/index.js"));
for (const file of files) {
  const session = SessionManager.open(file);
  console.log(JSON.stringify({ file, entries: session.getEntries().length, branch: session.getBranch().length }));
}
JS

python3 - "$root/varve" "$folder" "$work" "$@" << 'PY'
import json, os, shutil, subprocess, sys
varve, folder, work, *pis = sys.argv[1:]
EXPECTED = {  # by the end of the path
    "new/11-lifecycle/headerless-after-delete-while-running.jsonl": {"no_header", "orphan"},
    "new/11-lifecycle/non-session-file-after-open.jsonl": {"not_json", "not_a_session"},
    "new/11-lifecycle/torn-tail-then-continued.jsonl": {"not_json"},
    "old/11-lifecycle/torn-tail-then-continued.jsonl": {"glued"},
    "v058/11-lifecycle/torn-tail-then-continued.jsonl": {"glued"},
    "old/11-lifecycle/non-session-file-after-open.jsonl": {"second_header"},
    "v058/11-lifecycle/non-session-file-after-open.jsonl": {"second_header"},
    "2026-11-27T20-39-12-754Z_01a21ebb-c872-72b3-a489-963dcf00a81b.jsonl": {"orphan_after_fork"},
}
NOTES = {"old_version", "name_differs"}
seen, copies = set(), {}
for where, _, names in sorted(os.walk(folder)):
    for name in sorted(names):
        if not name.endswith(".jsonl"):
            continue
        file = os.path.join(where, name)
        copy = os.path.join(work, f"copy-{len(copies)}.jsonl")
        run = subprocess.run([varve, "pi", "doctor", file, "--repair-to", copy, "--json"], capture_output=True, text=True)
        expected = next((found for end, found in EXPECTED.items() if file.endswith(end)), set())
        if run.returncode == 2:  # nothing to repair
            run = subprocess.run([varve, "pi", "doctor", file, "--json"], capture_output=True, text=True)
        report = json.loads(run.stdout)
        found = {row["problem"] for row in report["problems"]} - NOTES
        assert found == expected, (file, found, expected)
        assert run.returncode == (3 if expected else 0), (file, run)
        seen |= {end for end in EXPECTED if file.endswith(end)}
        if report["copy"]:
            assert report["copy_healthy"] == "true", report
            if not expected:
                assert open(file, "rb").read() == open(copy, "rb").read(), file
            copies[copy] = report["copy_entries"]
assert seen == set(EXPECTED), set(EXPECTED) - seen
print(f"{len(copies)} copies, all sound; {len(EXPECTED)} damaged files diagnosed as expected")
for pi in pis:
    there = os.path.join(work, "opened")
    shutil.rmtree(there, ignore_errors=True)
    os.mkdir(there)  # Pi rewrites old formats in place
    files = [shutil.copy(copy, there) for copy in copies]
    lines = subprocess.run(["node", os.path.join(work, "load.mjs"), pi, *files], check=True, capture_output=True, text=True)
    for line in lines.stdout.splitlines():
        row = json.loads(line)
        entries = copies[os.path.join(work, os.path.basename(row["file"]))]
        assert row["entries"] == entries and (row["branch"] > 0) == (entries > 0), (row, entries)
    print(f"real Pi in {os.path.basename(os.path.dirname(pi))} opens all copies with all entries")
PY
