#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The programs of docs/java.md for Kotlin and Spring, taken from the page: both compile against the library's jar and run. Takes the
# jar that was built, and a JDK 25 in JAVA_HOME. (The page's program in Java is run by DocsTest.)
set -euo pipefail
cd "$(dirname "$0")/.."
: "${JAVA_HOME:?needs a JDK 25}"
jar=$PWD/core/target/varve-core-0.1.0.jar
zstd=$(find "$HOME/.m2" -name 'zstd-jni-1*.jar' | sort | tail -1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# program LANGUAGE WORD: the block of code of the page in this language that has the word in it.
program() {
  awk -v begin="\`\`\`$1" -v word="$2" '
    $0 == begin { inside = 1; text = ""; next }
    /^```/ { if (inside && index(text, word)) printf "%s", text; inside = 0 }
    inside { text = text $0 "\n" }' docs/java.md
}

mkdir "$work/src"
cp .ci/java-page/pom.xml "$work"
cp .ci/java-page/StoreBean.java "$work/src"
program kotlin 'fun main' > "$work/src/Page.kt"
program java '@Configuration' > "$work/src/VarveConfiguration.java"
mvn -B -ntp -q -f "$work/pom.xml" -Dcore.jar="$jar" compile > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }

# run CLASS WANTED [ARGUMENT…]: runs a program in a folder of its own.
run() {
  local said
  said=$(cd "$work" && "$JAVA_HOME/bin/java" -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED \
    -cp "target/classes:$zstd:$(cat "$work/target/classpath")" "$1" "${@:3}")
  [ "$said" = "$2" ] || { echo "$1: expected '$2', found '$said'" >&2; exit 1; }
}
run PageKt hello
run StoreBean 'contexts: 1' "$work/spring"
echo "docs/java.md: the programs for Kotlin and Spring compile and run"
