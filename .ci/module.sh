#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The jar of `core` as a module: a modular program is compiled against it, run, and linked into an image that has nothing
# else. Takes the jar that was built and a JDK 25 in JAVA_HOME.
set -euo pipefail
cd "$(dirname "$0")/.."
: "${JAVA_HOME:?needs a JDK 25}"
jar=$PWD/core/target/varve-core-0.1.0.jar
zstd=$(find "$HOME/.m2" -name 'zstd-jni-1*.jar' | sort | tail -1)
source=core/src/test/resources/modular-program
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$JAVA_HOME/bin/javac" -Xlint:all -Werror -d "$work/program" -p "$jar:$zstd" "$source/module-info.java" "$source/program/Main.java"
run=(--enable-native-access=com.github.luben.zstd_jni -m program/program.Main)
said=$("$JAVA_HOME/bin/java" -p "$jar:$zstd:$work/program" "${run[@]}" "$work/modular")
[ "$said" = "read from module dev.varve.core" ] || { echo "on the module path: $said"; exit 1; }
"$JAVA_HOME/bin/jlink" -p "$jar:$zstd:$work/program" --add-modules program --output "$work/image"
said=$("$work/image/bin/java" "${run[@]}" "$work/linked")
[ "$said" = "read from module dev.varve.core" ] || { echo "in an image: $said"; exit 1; }
said=$("$JAVA_HOME/bin/java" --enable-native-access=ALL-UNNAMED -cp "$jar:$zstd:$work/program" program.Main "$work/classes")
case $said in
  "read from unnamed module"*) echo "core is a module, in an image too, and a library on the class path" ;;
  *) echo "on the class path: $said"; exit 1 ;;
esac
