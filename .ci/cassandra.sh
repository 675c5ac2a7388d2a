#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The store on real nodes of Apache Cassandra: the contract of all stores on one node, damaged rows, two services at once. The tests
# start nodes of their own. TESTS names other tags: `three-nodes` kills and freezes nodes of three.
# Needs Maven, a JDK 25 in JAVA_HOME, and a Java 17 for the nodes.
set -euo pipefail
cd "$(dirname "$0")/.."
. .ci/cassandra-node.sh
. .ci/module-tests.sh
cassandra_node
module_tests cassandra "${TESTS:-cluster}"
