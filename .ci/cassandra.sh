#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The store on real nodes of Apache Cassandra: the contract of all stores on one node, damaged rows, two services at once. The tests
# start nodes of their own. TESTS names other tags: `three-nodes` kills and freezes nodes of three.
# Needs Maven, a JDK 25 in JAVA_HOME, and a Java 17 for the nodes.
set -euo pipefail
cd "$(dirname "$0")/.."
. .ci/cassandra-node.sh
cassandra_node
mvn -B -q -ntp -Dtests.without= -Dtests.only="${TESTS:-cluster}" -Dsurefire.failIfNoSpecifiedTests=false \
  -pl cassandra -am -Dtest='dev.varve.cassandra.*Test' test
grep -h -o 'tests="[0-9]*" errors="[0-9]*" skipped="[0-9]*" failures="[0-9]*"' cassandra/target/surefire-reports/TEST-*.xml
