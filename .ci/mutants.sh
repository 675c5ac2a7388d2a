#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Breaks one line at a time in the rooms that give guarantees, and runs the tests that guard the room: .ci/mutants.sh [ROOM…]
# Without a name all rooms are run. A mutant that no test kills must stand in docs/mutation-survivors.md with the reason; one that
# does not makes the run fail. Takes Maven, Node 20 and a JDK 25; 10 to 30 minutes a room.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

# The tests of the whole store that are quick enough to be run for each mutant, and that look at what is on the disk.
store=()
for test in JournalDamage CheckpointDamage OrderOfForces StoreDamage LostFile DerivedFiles RecordDamage ForeignFile StoreCreation \
  ReadOnlyStore LargeCommits NumberLimits ExampleStore StoreBackupRefusal Proportion PowerCutStore; do
  store+=("dev.varve.local.${test}Test")
done

# Sets module, classes and tests of a room.
room() {
  module=core
  tests=("dev.varve.$1.*" "${store[@]}")
  case $1 in
    journal | blob | turn | index) classes=("dev.varve.$1.*") ;;
    local)
      classes=()
      for class in Committer CommitWriter CommitDraft Recovery RecoveredState JournalReplay LostCommits FileEnds BatchWriter Checkpointer EndScan; do
        classes+=("dev.varve.local.$class" "dev.varve.local.$class\$*")
      done
      tests=("${store[@]}" dev.varve.local.LocalStoreTest dev.varve.local.DiskTroubleTest)
      ;;
    rewind)
      module=agents
      classes=('dev.varve.rewind*.Restore*' 'dev.varve.rewind*.PlannedPath' 'dev.varve.rewind*.WorktreeWriter')
      tests=('dev.varve.rewind.*')
      ;;
    jp.sweep)
      module=agents
      classes=('dev.varve.jp.sweep.*')
      tests=('dev.varve.jp.*')
      ;;
    *)
      echo "no room $1: journal, blob, turn, index, local, rewind, jp.sweep" >&2
      return 2
      ;;
  esac
}

joined() {
  local IFS=,
  echo "$*"
}

[ $# -gt 0 ] || set -- journal blob turn index local rewind jp.sweep
failed=0
for name in "$@"; do
  room "$name"
  report=$root/$module/target/pit-reports/$name
  mkdir -p "$root/$module/target"
  printf '\n==== %s\n' "$name"
  nice -n 10 mvn -B -ntp -q -Pmutation -pl "$module" -am -DskipTests test "-DreportsDirectory=$report" \
    "-Dmutated=$(joined "${classes[@]}")" "-Dmutation.tests=$(joined "${tests[@]}")" > "$root/$module/target/mutants-$name.log" 2>&1 ||
    { tail -40 "$root/$module/target/mutants-$name.log"; exit 1; }
  node .ci/mutants.mjs "$report/mutations.xml" "$name" docs/mutation-survivors.md || failed=1
done
exit "$failed"
