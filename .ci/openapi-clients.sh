#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Clients in Java and TypeScript that openapi-generator makes from the API document of a running service: both compile, and both
# write a conversation into the service and read it again. Called by http.sh, after the packages of http-client were installed.
#
# Usage: openapi-clients.sh URL
set -euo pipefail
cd "$(dirname "$0")/.."
url=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
generator=7.17.0

jdk=
for home in "${JAVA_HOME:-}" /usr/lib/jvm/* /opt/*; do
  if [ -x "$home/bin/javac" ] && grep -q '^JAVA_VERSION="\(2[5-9]\|[3-9][0-9]\)' "$home/release" 2> /dev/null; then
    jdk=$home
    break
  fi
done
[ -n "$jdk" ] || { echo "no JDK 25 on this machine" >&2; exit 1; }
export JAVA_HOME=$jdk

# quiet NAME COMMAND…: prints the output of a command only if the command fails.
quiet() {
  local log=$work/$1.log
  "${@:2}" > "$log" 2>&1 || { tail -40 "$log" >&2; exit 1; }
}

quiet fetch mvn -B -ntp -q org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy \
  -Dartifact="org.openapitools:openapi-generator-cli:$generator" -DoutputDirectory="$work" -Dmdep.useBaseVersion=true
curl -sS -o "$work/openapi.json" "$url/openapi.json"
generate() {
  quiet "generate-$1" "$jdk/bin/java" -XX:TieredStopAtLevel=1 -jar "$work/openapi-generator-cli-$generator.jar" generate \
    -i "$work/openapi.json" -g "$1" -o "$work/$1" "${@:2}"
}

generate typescript-fetch --additional-properties=importFileExtension=.js
cp .ci/openapi-clients/conversation.ts .ci/openapi-clients/tsconfig.json "$work/typescript-fetch"
echo '{"type": "module"}' > "$work/typescript-fetch/package.json"
quiet tsc node .ci/http-client/node_modules/typescript/bin/tsc -p "$work/typescript-fetch"
node "$work/typescript-fetch/out/conversation.js" "$url"

generate java --library native
cp .ci/openapi-clients/Conversation.java "$work/java/src/main/java"
quiet javac mvn -B -ntp -q -f "$work/java/pom.xml" -Dmaven.compiler.release=25 compile \
  org.apache.maven.plugins:maven-dependency-plugin:3.9.0:build-classpath -Dmdep.outputFile="$work/classpath"
"$jdk/bin/java" -cp "$work/java/target/classes:$(cat "$work/classpath")" Conversation "$url"
