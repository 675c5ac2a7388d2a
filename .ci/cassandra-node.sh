# SPDX-License-Identifier: Apache-2.0
#
# To be sourced: sets and exports CASSANDRA_JAVA (a Java that runs a node of Cassandra: 17) and CASSANDRA_LIB (a folder outside the
# project with the jars of a node, fetched by Maven once). Both may be set before. Returns 1, and says why, if there is no such Java.

cassandra_node() {
  local home jars
  if [ -z "${CASSANDRA_JAVA-}" ]; then
    for home in /usr/lib/jvm/*; do
      if [ -x "$home/bin/java" ] && grep -q '^JAVA_VERSION="17' "$home/release" 2> /dev/null; then
        CASSANDRA_JAVA=$home/bin/java
      fi
    done
  fi
  [ -n "${CASSANDRA_JAVA-}" ] || { echo 'no Java 17, which nodes of Cassandra need' >&2; return 1; }
  jars=${CASSANDRA_LIB:-${TMPDIR:-/tmp}/cassandra-node-5.0.9-$(id -u)}
  if [ ! -d "$jars" ]; then
    mvn -q -B -ntp -f "$(dirname "${BASH_SOURCE[0]}")/cassandra/pom.xml" dependency:copy-dependencies \
      -DoutputDirectory="$jars.new" -DincludeScope=runtime || return 1
    mv "$jars.new" "$jars"
  fi
  CASSANDRA_LIB=$jars
  export CASSANDRA_JAVA CASSANDRA_LIB
}
