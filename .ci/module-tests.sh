# SPDX-License-Identifier: Apache-2.0
#
# To be sourced: `module_tests MODULE TAG` runs the tests of a module that have a tag, in a JDK 25 in JAVA_HOME, and fails if none ran.

module_tests() {
  local reports=$1/target/surefire-reports
  rm -f "$reports"/TEST-*.xml
  mvn -B -q -ntp -Dtests.without= -Dtests.only="$2" -Dsurefire.failIfNoSpecifiedTests=false \
    -pl "$1" -am -Dtest="dev.varve.$1.*Test" test
  cat "$reports"/TEST-*.xml 2> /dev/null | awk -v what="$1, tag $2" '
    /<testsuite / {
      suites++
      for (i = 1; i <= NF; i++) {
        if (split($i, pair, "\"") > 1 && pair[1] ~ /^(tests|errors|skipped|failures)=$/) sum[pair[1]] += pair[2]
      }
    }
    END {
      printf "%s: %d tests in %d classes, %d skipped\n", what, sum["tests="], suites, sum["skipped="]
      exit !(sum["tests="] > 0 && sum["errors="] + sum["failures="] + sum["skipped="] == 0)
    }'
}
