#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Restores every point of the real sessions that the reference's rewind extension wrote, in the repositories that it wrote
# beside them, and compares the worktree with the snapshot by git.
#
# usage: rewind-reference.sh FOLDER    with the session files and repo.bundle files
set -euo pipefail
folder=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 VARVE_STORE=$work/store
exec 3< <(find "$folder" -name repo.bundle | sort)
python3 - "$work" "$root/varve" << 'PY'
import json, os, subprocess, sys
work, varve = sys.argv[1:]

def git(where, *words, **environment):
    done = subprocess.run(["git", "-C", where, *words], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env={**os.environ, **environment})
    return done.stdout.decode().strip()

def leaves(session):
    entries = [json.loads(line) for line in open(session, encoding="utf-8") if line.strip()]
    parents = {entry.get("parentId") for entry in entries}
    return [entry["id"] for entry in entries if entry["type"] != "session" and entry["id"] not in parents]

repositories = points = 0
for line in open(3):
    bundle = line.strip()
    here = os.path.join(work, "repo%d" % repositories)
    os.mkdir(here)
    git(here, "init", "-q", "-b", "other")
    git(here, "fetch", "-q", bundle, "refs/*:refs/*")
    git(here, "checkout", "-q", "main")
    sessions = [os.path.join(top, name) for top, _, names in os.walk(os.path.dirname(bundle)) for name in names
                if name.endswith(".jsonl")]
    for session in sorted(sessions):
        with subprocess.Popen([varve, "rewind", "serve"], cwd=here, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as engine:
            def ask(what, **fields):
                engine.stdin.write((json.dumps({"id": what, "do": what, **fields}) + "\n").encode())
                engine.stdin.flush()
                answer = json.loads(engine.stdout.readline())
                assert answer["ok"], (bundle, session, fields, answer)
                return answer
            ask("session", session_file=session, session_id="", reason="resume", agent_dir=work)
            known = {}
            for leaf in leaves(session):
                known.update((point["entry"], point) for point in ask("points", limit=1000, leaf=leaf)["list"])
            for point in known.values():
                outcome = ask("restore", entry=point["entry"])
                assert outcome["exact"], (bundle, session, point, outcome)
                index = os.path.join(work, "index")
                if os.path.exists(index):
                    os.remove(index)
                git(here, "add", "-A", GIT_INDEX_FILE=index)
                found = git(here, "write-tree", GIT_INDEX_FILE=index)
                expected = git(here, "rev-parse", point["snapshot"] + "^{tree}")
                assert found == expected, (bundle, session, point, found, expected)
                points += 1
            engine.stdin.close()
    repositories += 1
assert points > 0
print(f"{points} points of sessions in {repositories} repositories restored, each worktree as in its snapshot")
PY
