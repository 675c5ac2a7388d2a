#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The store in a real PostgreSQL: the contract of all stores, lost connections, a killed server. The tests start a server of their own.
# Needs PostgreSQL's programs, Maven, and a JDK 25 in JAVA_HOME.
set -euo pipefail
cd "$(dirname "$0")/.."
. .ci/module-tests.sh
module_tests postgresql database
