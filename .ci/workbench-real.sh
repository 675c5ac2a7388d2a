#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The workbench over what real agents wrote: workbench-real.sh FOLDER, which has fixtures/pi-sessions, fixtures/agents, fixtures/jp and
# tools/agents-lab. The command imports all of it into one store, and keeps snapshots of a repository that a session of Pi worked in;
# then each view and journey goes over that store in Chromium. Screenshots stay in target/workbench-real.
set -euo pipefail
cd "$(dirname "$0")/.."
shared=$(cd "$1" && pwd)
varve() {
  # shellcheck disable=SC2086 # VARVE may be a command with arguments
  ${VARVE:-./varve} "$@"
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. .ci/browser.sh
. .ci/opencode-home.sh

export VARVE_STORE=$work/store
folders=("$shared/fixtures/pi-sessions" "$shared/fixtures/agents")
for fixtures in "$shared"/tools/agents-lab/*/fixtures; do
  case $fixtures in
    */opencode/fixtures) ;; # its databases are kept as text
    *) folders+=("$fixtures") ;;
  esac
done
if command -v sqlite3 > /dev/null; then
  for fixture in "$shared"/tools/agents-lab/opencode/fixtures/*/*/; do
    opencode_home "$fixture" "$work/opencode/$(basename "$fixture")" || rmdir "$work/opencode/$(basename "$fixture")"
  done
  folders+=("$work/opencode")
else
  echo "NOT RUN: the databases of opencode need sqlite3"
fi
varve import --quiet "${folders[@]}"
for workspace in "$shared"/fixtures/jp/a-real/*/; do
  varve import jp --quiet --workspace "$workspace"
done

# Files, as they were at the snapshots that the session's own extension took.
worktree=$work/worktree
bundle=$shared/fixtures/pi-sessions/new/rw-tree/repo.bundle
git_() {
  GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 git -C "$worktree" "$@"
}
git init -q "$worktree"
git_ fetch -q "$bundle" 'refs/*:refs/heads/*'
for snapshot in $(git_ rev-list --reverse --topo-order --grep='^pi rewind snapshot' heads/pi-rewind/store); do
  git_ read-tree -u --reset "$snapshot"
  varve rewind capture --native -C "$worktree" > /dev/null
done

# A proxy that the machine is set up with is not for this machine's own ports.
export NO_PROXY=127.0.0.1 no_proxy=127.0.0.1
node .ci/http-client/workbench-real.mjs "$browser" "${VARVE:-./varve}" "$VARVE_STORE" target/workbench-real "$worktree" "${2:-}"
