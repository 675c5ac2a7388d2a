#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The doctor's verdicts where Pi and a reader could differ, judged by real Pi: it opens each file, appends to it, and says how much of the
# conversation it goes on with.
#
# usage: pi-judge.sh FOLDER-WITH-A-PI-PACKAGE...
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for pi in "$@"; do
  mkdir "$work/$(basename "$(dirname "$pi")")"
  VARVE=${VARVE:-$PWD/varve} node .ci/pi-judge.mjs "$pi" "$work/$(basename "$(dirname "$pi")")"
done
