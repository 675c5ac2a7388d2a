#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Hashes one file with b3sum on one thread and with what Java has, one after the other, several times over, and prints the processor
# time (user and system) of each. b3sum's is that of the whole process; Java's is that of the thread that hashes, once it is warm.
#
# usage: blake3.sh [SIZE-IN-MIB] [ROUNDS]    (256 3)    CP: the class path; else bench/target/bench.jar
set -euo pipefail
mib=${1:-256}
rounds=${2:-3}
root=$(cd "$(dirname "$0")/.." && pwd)
cp=${CP:-$root/bench/target/bench.jar}
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
head -c "$((mib << 20))" /dev/urandom > "$work/file"
TIMEFORMAT='b3sum: %U s user, %S s system'
for ((round = 0; round < rounds; round++)); do
  time b3sum --num-threads 1 --no-names "$work/file"
  for hasher in plain vectors bouncycastle codec; do
    "$java" --add-modules jdk.incubator.vector -cp "$cp" dev.varve.bench.HashLoad --file "$work/file" --rounds 3 --hasher "$hasher" \
      2> /dev/null
  done
done
