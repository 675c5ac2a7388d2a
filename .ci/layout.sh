#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Are the Java sources laid out as google-java-format does it? Names those that are not, and fails. `layout.sh --apply` lays them out.
# Needs git, Maven (which brings the formatter) and a JDK 25 in JAVA_HOME.
set -euo pipefail
cd "$(dirname "$0")/.."
version=1.37.0
jar=$(mktemp -d)/google-java-format.jar
trap 'rm -rf "$(dirname "$jar")"' EXIT
mvn -B -q -ntp org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy \
  -Dartifact=com.google.googlejavaformat:google-java-format:$version:jar:all-deps \
  -Dmdep.stripVersion=true -DoutputDirectory="$(dirname "$jar")"
mv "$(dirname "$jar")"/google-java-format-all-deps.jar "$jar"
exports=()
for package in api code file parser tree util; do
  exports+=(--add-exports "jdk.compiler/com.sun.tools.javac.$package=ALL-UNNAMED")
done
mode=(--dry-run --set-exit-if-changed)
if [ "${1:-}" = --apply ]; then
  mode=(--replace)
fi
git ls-files -z --cached --others --exclude-standard '*.java' | xargs -0 -n 4000 "$JAVA_HOME/bin/java" --sun-misc-unsafe-memory-access=allow "${exports[@]}" -jar "$jar" "${mode[@]}"
