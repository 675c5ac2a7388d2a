#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The store in a real PostgreSQL: the contract of all stores, lost connections, a killed server. The tests start a server of their own.
# Needs PostgreSQL's programs, Maven, and a JDK 25 in JAVA_HOME.
set -euo pipefail
cd "$(dirname "$0")/.."
mvn -B -q -ntp -Dtests.without= -Dtests.only=database -Dsurefire.failIfNoSpecifiedTests=false \
  -pl postgresql -am -Dtest='dev.varve.postgresql.*Test' test
grep -h -o 'tests="[0-9]*" errors="[0-9]*" skipped="[0-9]*" failures="[0-9]*"' postgresql/target/surefire-reports/TEST-*.xml
