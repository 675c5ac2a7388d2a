#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The extension in two real versions of Pi, with a scripted model and the real engine: forks, walks in the tree, compaction, clones,
# resumes, undo and redo, killed processes. At each step the whole worktree is compared with what it was at that moment.
#
# usage: rewind.sh LAB [speed | PART-OF-A-SCENARIO'S-NAME …]     LAB: the folder of scripts that install and drive Pi
# PI_LAB_DIR: where Pi is installed, or will be (default: a temporary folder). VARVE: the command to try. PI_VERSIONS: "new old".
set -euo pipefail
lab=$(cd "$1" && pwd)
shift
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
pids=()
trap 'for pid in "${pids[@]}"; do kill "$pid" 2> /dev/null || true; done; rm -rf "$work"' EXIT
export PI_LAB_DIR=${PI_LAB_DIR:-$work/lab} LAB=$lab WORK=$work VARVE=${VARVE:-$root/varve}

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

command -v tmux > /dev/null || { apt-get update && apt-get install -y --no-install-recommends tmux; } > "$work/apt.log" 2>&1 || {
  tail "$work/apt.log" >&2
  fail "no tmux here, and it cannot be installed"
}
[ -d "$PI_LAB_DIR/new/node_modules" ] || bash "$lab/install.sh" > "$work/install.log" 2>&1 || { cat "$work/install.log"; fail "Pi cannot be installed"; }
export PATH=$PI_LAB_DIR/new/node_modules/.bin:$PATH NO_PROXY=127.0.0.1 no_proxy=127.0.0.1
"$VARVE" --version > "$work/version" 2>&1 || { cat "$work/version"; fail "varve does not run"; }
PI_LAB_PORT=$(node "$root/.ci/free-port.mjs")
export PI_LAB_PORT
node "$lab/fake-openai.mjs" "$PI_LAB_PORT" > "$work/model.out" &
pids+=($!)
for _ in $(seq 100); do
  grep -q "fake openai" "$work/model.out" && break
  sleep 0.1
done
if [ "${1:-}" = speed ]; then
  node "$root/.ci/rewind/speed.mjs"
else
  # The versions run side by side: the scenarios wait for Pi and for the model most of their time.
  failed=0
  runs=()
  for version in ${PI_VERSIONS:-new old}; do
    PI_VERSIONS=$version node "$root/.ci/rewind/run.mjs" "$@" &
    runs+=($!)
    pids+=($!)
  done
  for run in "${runs[@]}"; do
    wait "$run" || failed=1
  done
  [ "$failed" = 0 ] || fail "scenarios, named above"
fi
