# SPDX-License-Identifier: Apache-2.0
#
# To be sourced. `cassandra_java` sets and exports CASSANDRA_JAVA, a Java 17 that runs a node of Cassandra, and returns 1 if there is
# none. `cassandra_node` also sets and exports CASSANDRA_LIB, a folder outside the project with the jars of a node, which Maven fetches
# once; jars that cannot be fetched are an error. Both variables may be set before.

cassandra_java() {
  local home
  if [ -z "${CASSANDRA_JAVA-}" ]; then
    for home in /usr/lib/jvm/*; do
      if [ -x "$home/bin/java" ] && grep -q '^JAVA_VERSION="17' "$home/release" 2> /dev/null; then
        CASSANDRA_JAVA=$home/bin/java
      fi
    done
  fi
  [ -n "${CASSANDRA_JAVA-}" ] || { echo 'no Java 17, which nodes of Cassandra need' >&2; return 1; }
  export CASSANDRA_JAVA
}

cassandra_node() {
  local cache jars new
  cassandra_java || return 1
  cache=${XDG_CACHE_HOME:-$HOME/.cache}/varve-tests
  jars=${CASSANDRA_LIB:-$cache/cassandra-node-5.0.9}
  if [ ! -d "$jars" ]; then
    mkdir -p "$(dirname "$jars")"
    new=$(mktemp -d "$jars.XXXXXX")
    if ! mvn -q -B -ntp -f "$(dirname "${BASH_SOURCE[0]}")/cassandra/pom.xml" dependency:copy-dependencies \
      -DoutputDirectory="$new" -DincludeScope=runtime || [ -z "$(ls "$new"/jamm-*.jar 2> /dev/null)" ]; then
      rm -rf "$new"
      echo 'the jars of a node of Cassandra cannot be fetched' >&2
      return 1
    fi
    mv -T "$new" "$jars" 2> /dev/null || rm -rf "$new" # somebody else was faster
  fi
  CASSANDRA_LIB=$jars
  export CASSANDRA_LIB
}
