#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Lets real Pi write a session, whose tools read the project's own sources, and publishes it behind each prompt. Prints how large the
# last version is, how large all versions together, and what the store keeps of them, before and after compression.
#
# usage: pi-growth.sh LAB [PROMPTS]    LAB installs and drives real Pi; PI_LAB_DIR says where it is. VARVE: the command to measure
set -euo pipefail
lab=$(cd "$1" && pwd)
prompts=${2:-60}
root=$(cd "$(dirname "$0")/.." && pwd)
export VARVE=${VARVE:-$root/varve} ROOT=$root
PI_LAB_PORT=$(node "$root/.ci/free-port.mjs")
export PI_LAB_DIR=${PI_LAB_DIR:-$(mktemp -d)} PI_LAB_PORT
[ -d "$PI_LAB_DIR/new" ] || bash "$lab/install.sh" > /dev/null 2>&1
work=$(mktemp -d)
node "$lab/fake-openai.mjs" "$PI_LAB_PORT" "$work/model.log" > /dev/null &
model=$!
trap 'kill $model; rm -rf "$work"' EXIT
set +u
. "$lab/env.sh" new growth-$$
set -u
new_repo
export VARVE_STORE=$work/store SIZES=$work/sizes
python3 - "$root" "$prompts" > "$work/scenario.json" << 'PY'
import json, os, random, subprocess, sys
root, prompts = sys.argv[1], int(sys.argv[2])
files = subprocess.run(["git", "-C", root, "ls-files", "*.java", "*.md"], check=True, stdout=subprocess.PIPE).stdout.decode().split()
random.Random(1).shuffle(files)
steps = []
publish = ('f=$(find "$PI_CODING_AGENT_DIR/sessions" -name "*.jsonl"); stat -c %s "$f" >> "$SIZES"; '
           '"$VARVE" pi publish "$f" > /dev/null')
for prompt in range(prompts):
    script = []
    for turn in range(3):
        path = os.path.join(root, files[(prompt * 3 + turn) % len(files)])
        script.append({"text": "Reading.", "calls": [{"tool": "bash", "args": {"command": "cat " + path}}]})
    script.append({"text": "Read."})
    steps += [{"prompt": "Read on, part %d. SCRIPT %s" % (prompt, json.dumps(script))}, {"sh": publish}]
json.dump({"args": [], "steps": steps}, sys.stdout)
PY
node "$lab/rpc-drive.mjs" "$work/scenario.json" > "$work/drive.log" 2>&1 || { tail -5 "$work/drive.log"; exit 1; }
kept=$("$VARVE" stats --json)
session=$(find "$PI_CODING_AGENT_DIR/sessions" -name '*.jsonl')
VARVE_STORE=$work/alone "$VARVE" pi publish "$session" > /dev/null
python3 - "$SIZES" "$kept" "$(VARVE_STORE=$work/alone "$VARVE" stats --json)" << 'PY'
import json, sys
sizes = [int(line) for line in open(sys.argv[1])]
kept, alone = json.loads(sys.argv[2]), json.loads(sys.argv[3])
print(f"{len(sizes)} versions, the last of {sizes[-1]} bytes, all of {sum(sizes)}")
print(f"kept {kept['raw_bytes']} before compression ({kept['raw_bytes'] / sizes[-1]:.3f} of the last), {kept['stored_bytes']} after")
print(f"the last version alone {alone['raw_bytes']} and {alone['stored_bytes']}: all versions take "
      f"{kept['stored_bytes'] / alone['stored_bytes']:.2f} times what it takes")
PY
