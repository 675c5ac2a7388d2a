#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Tests the launcher, ./varve, in made-up surroundings: JDKs that only say how they were called, a Maven that
# only counts. Ends with one start of the real thing. Prints what failed; exit status 1 if anything did.

set -u

here=$(CDPATH='' cd -- "$(dirname "$0")/.." && pwd -P)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM
failures=0
shell=sh

check() { # name, expected, actual
  if [ "$2" != "$3" ]; then
    failures=$((failures + 1))
    printf 'FAILED (%s): %s\n  expected: %s\n  found:    %s\n' "$shell" "$1" "$2" "$3"
  fi
}

check_has() { # name, expected part, actual
  case $3 in
    *"$2"*) ;;
    *) check "$1" "… $2 …" "$3" ;;
  esac
}

check_lacks() { # name, part that must not be there, actual
  case $3 in
    *"$2"*) check "$1" "nothing like $2" "$3" ;;
    *) ;;
  esac
}

# A JDK in folder $1 of version $2.
make_jdk() {
  mkdir -p "$1/bin"
  printf 'IMPLEMENTOR="Nobody"\nJAVA_VERSION="%s"\nOS_NAME="Any"\n' "$2" > "$1/release"
  cat > "$1/bin/java" <<'JAVA'
#!/bin/sh
case "$*" in
  *dev.varve.cli.AotTraining*)
    for arg; do
      case $arg in
        -XX:AOTCacheOutput=*) echo cache > "${arg#*=}" ;;
      esac
    done
    echo trained >> "$FAKE_LOG"
    exit "${FAKE_TRAINING:-0}"
    ;;
esac
printf '[%s]' "${0%/bin/java}" "$@"
exit "${FAKE_STATUS:-0}"
JAVA
  cp "$1/bin/java" "$1/bin/javac"
  chmod +x "$1/bin/java" "$1/bin/javac"
}

# Only the tools that the launcher may need: no java, no mvn.
mkdir "$tmp/tools" "$tmp/empty" "$tmp/home"
for tool in sh cat cp find kill mkdir mv readlink rm rmdir sleep stty; do
  path=$(command -v "$tool") && case $path in /*) ln -s "$path" "$tmp/tools/$tool" ;; esac
done

FAKE_LOG=$tmp/log
export FAKE_LOG

# Runs a launcher where only what the test names exists.
run() {
  env -i PATH="$tmp/tools" HOME="$tmp/home" VARVE_JVM_DIRS="$tmp/empty" FAKE_LOG="$FAKE_LOG" "$@" 2>&1
}

wait_for() { # a file
  waited=0
  until [ -e "$1" ] || [ "$waited" -ge 100 ]; do
    sleep 0.1
    waited=$((waited + 1))
  done
}

make_jdk "$tmp/jdk 25" 25.0.3
make_jdk "$tmp/jdk vectors" 25.0.3
printf 'MODULES="java.base jdk.incubator.vector"\n' >> "$tmp/jdk vectors/release"
make_jdk "$tmp/jvms/old" 17.0.15
make_jdk "$tmp/jvms/new" 26.0.1
make_jdk "$tmp/oldest/jdk" 1.8.0_402
make_jdk "$tmp/mac/25.jdk/Contents/Home" 25

installed() { # what a release looks like: the launcher beside its jar
  until rm -rf "$tmp/in stalled" 2> /dev/null; do sleep 0.1; done # a training may still write there
  mkdir "$tmp/in stalled"
  cp "$here/varve" "$tmp/in stalled/varve"
  echo jar > "$tmp/in stalled/varve.jar"
  : > "$FAKE_LOG"
}

checkout() { # what a clone looks like
  rm -rf "$tmp/check out"
  mkdir -p "$tmp/check out/cli/src/main" "$tmp/check out/core/src/main" "$tmp/mvn"
  cp "$here/varve" "$tmp/check out/varve"
  echo pom > "$tmp/check out/pom.xml"
  echo source > "$tmp/check out/core/src/main/A.java"
  : > "$FAKE_LOG"
  cat > "$tmp/mvn/mvn" <<'MVN'
#!/bin/sh
echo "built with $JAVA_HOME" >> "$FAKE_LOG"
echo Maven talks
echo "[INFO] Building Varve, core 0.1.0                            [2/7]"
for i in 1 2 3 4 5 6 7 8 9 10; do
  for j in 1 2 3 4 5 6 7 8 9 10; do
    echo "[INFO] Downloaded from central: https://example.test/$i/$j.jar"
  done
done
sleep 1
mkdir -p cli/target
echo jar > cli/target/varve.jar
printf '\033[0m' # as the real one does
exit "${FAKE_MVN:-0}"
MVN
  chmod +x "$tmp/mvn/mvn"
}

test_all() {
  installed
  varve="$tmp/in stalled/varve"
  jdk="VARVE_JAVA_HOME=$tmp/jdk 25"

  out=$(run "$jdk" "$shell" "$varve" log 'a b' '' '*' --x='$y')
  check_has 'arguments arrive as they were given' 'varve.jar][log][a b][][*][--x=$y]' "$out"
  check_has 'the JDK that was named is used' "[$tmp/jdk 25][" "$out"
  check_has 'a brief command gets the quick compiler alone' '[-XX:TieredStopAtLevel=1]' "$out"
  check_has 'the command knows how it was called' "[-Dvarve.command=$varve]" "$out"

  out=$(run "$jdk" "$shell" "$varve" --store log serve)
  check_has 'what follows a brief word does not count' '[-XX:TieredStopAtLevel=1]' "$out"
  out=$(run "$jdk" "$shell" "$varve" search check import)
  check_has 'words that are searched for are no commands' '[-XX:TieredStopAtLevel=1]' "$out"
  for word in sync import; do
    out=$(run VARVE_JAVA_HOME="$tmp/jdk vectors" "$shell" "$varve" "$word")
    check_has "$word gets the quick compiler alone" '[-XX:TieredStopAtLevel=1]' "$out"
    check_has "$word gets a bounded heap that begins small" '[-Xmx1g][-Xms64m]' "$out"
    check_lacks "$word does without vectors" 'varve.vectors' "$out"
  done
  out=$(run "$jdk" "$shell" "$varve" -q sync codex --watch)
  check_has 'a watch gets the quick compiler alone' '[-XX:TieredStopAtLevel=1]' "$out"
  check_has 'a watch gets a heap that shrinks' '[-XX:MaxHeapFreeRatio=10]' "$out"
  out=$(run "$jdk" "$shell" "$varve" serve)
  check_lacks 'a long command gets the full compiler' 'TieredStopAtLevel' "$out"
  check_has 'a long command gets a bounded heap' '[-Xmx1g]' "$out"
  check_lacks 'a JDK without vectors is not asked for them' 'varve.vectors' "$out"
  out=$(run VARVE_JAVA_HOME="$tmp/jdk vectors" "$shell" "$varve" serve)
  check_has 'a JDK with vectors is' '[-Dvarve.vectors=yes]' "$out"
  out=$(run VARVE_JAVA_HOME="$tmp/jdk vectors" "$shell" "$varve" log)
  check_lacks 'a brief command does without vectors' 'varve.vectors' "$out"
  for word in erase gc retention copy; do
    out=$(run "$jdk" "$shell" "$varve" --store s "$word" --dry-run)
    check_lacks "$word gets the full compiler" 'TieredStopAtLevel' "$out"
    check_has "$word gets a bounded heap" '[-Xmx1g]' "$out"
  done
  for word in keep readmit; do
    out=$(run "$jdk" "$shell" "$varve" "$word" erase)
    check_has "$word gets the quick compiler alone" '[-XX:TieredStopAtLevel=1]' "$out"
  done
  out=$(run "$jdk" "$shell" "$varve" pi publish --all --watch)
  check_has 'a watch over sessions of Pi gets a heap that shrinks' '[-XX:MaxHeapFreeRatio=10]' "$out"
  out=$(run "$jdk" "$shell" "$varve" --quiet check)
  check_lacks 'a check gets the full compiler' 'TieredStopAtLevel' "$out"
  out=$(run "$jdk" VARVE_JAVA_OPTS='-Xmx1g -Da=b' "$shell" "$varve" log)
  check_has 'the user may add options' '[-Xmx1g][-Da=b]' "$out"

  out=$(run "$jdk" FAKE_STATUS=7 "$shell" "$varve" log)
  check 'the exit status is that of Java' 7 $?

  # ---- through links
  mkdir -p "$tmp/links/deep"
  ln -sf "$varve" "$tmp/links/deep/one"
  ln -sf deep/one "$tmp/links/two"
  out=$(cd / && run "$jdk" "$shell" "$tmp/links/two" log)
  check_has 'a chain of links leads to the jar' "[$tmp/in stalled/varve.jar]" "$out"
  out=$(cd "$tmp/in stalled" && run "$jdk" "$shell" ./varve log)
  check_has 'a relative call works' "[$tmp/in stalled/varve.jar]" "$out"
  out=$(cd "$tmp/in stalled" && run "$jdk" CDPATH=/ "$shell" varve log)
  check_has 'a call without a slash works' "[$tmp/in stalled/varve.jar]" "$out"

  # ---- finding a JDK
  out=$(run "$shell" "$varve" log)
  check 'no JDK is status 69' 69 $?
  check_has 'no JDK is told with what to do' 'needs a JDK 25 or later: install one' "$out"
  check 'no JDK is told in one line' 1 "$(printf '%s\n' "$out" | grep -c .)"
  out=$(run VARVE_JVM_DIRS="$tmp/oldest" "$shell" "$varve" log)
  check 'only an old JDK is status 69' 69 $?
  check_has 'the old JDK is named' "found only Java 1.8.0_402 in $tmp/oldest/jdk" "$out"
  out=$(run VARVE_JAVA_HOME="$tmp/jvms/old" VARVE_JVM_DIRS="$tmp/jvms" "$shell" "$varve" log)
  check 'a wrong VARVE_JAVA_HOME is not passed over' 69 $?
  check_has 'it is named' "VARVE_JAVA_HOME is $tmp/jvms/old" "$out"
  out=$(run JAVA_HOME="$tmp/jvms/old" VARVE_JVM_DIRS="$tmp/nothing:$tmp/jvms" "$shell" "$varve" log)
  check_has 'an old JAVA_HOME is passed over' "[$tmp/jvms/new][" "$out"
  out=$(run JAVA_HOME="$tmp/jdk 25" VARVE_JVM_DIRS="$tmp/jvms" "$shell" "$varve" log)
  check_has 'JAVA_HOME comes before the usual places' "[$tmp/jdk 25][" "$out"
  ln -sf "$tmp/jvms/new/bin/java" "$tmp/links/java"
  out=$(run PATH="$tmp/links:$tmp/tools" "$shell" "$varve" log)
  check_has 'the java on the path is followed to its JDK' "[$tmp/jvms/new][" "$out"
  out=$(run VARVE_JVM_DIRS="$tmp/mac" "$shell" "$varve" log)
  check_has 'a JDK packed for macOS is found' "[$tmp/mac/25.jdk/Contents/Home][" "$out"

  # ---- the AOT cache
  installed
  run "$jdk" "$shell" "$varve" log > "$tmp/first"
  check_lacks 'the first run does without' 'AOTCache=' "$(cat "$tmp/first")"
  wait_for "$tmp/in stalled/varve-25.0.3.aot"
  out=$(run "$jdk" "$shell" "$varve" log)
  check_has 'a later run has it' "[-XX:AOTCache=$tmp/in stalled/varve-25.0.3.aot]" "$out"
  out=$(run "$jdk" "$shell" "$varve" check)
  check_has 'a long command has one of its own' "[-XX:AOTCache=$tmp/in stalled/varve-25.0.3-long.aot]" "$out"
  installed
  run "$jdk" FAKE_TRAINING=1 "$shell" "$varve" log > "$tmp/first"
  wait_for "$tmp/in stalled/varve-25.0.3.aot"
  run "$jdk" FAKE_TRAINING=1 "$shell" "$varve" log > "$tmp/second"
  check_lacks 'a training that fails leaves none' 'AOTCache=' "$(cat "$tmp/second")"
  check 'and is not tried again' 2 "$(grep -c trained "$FAKE_LOG")"

  # ---- building
  checkout
  varve="$tmp/check out/varve"
  out=$(run "$jdk" "$shell" "$varve" log)
  check 'without Maven the status is 69' 69 $?
  check_has 'without Maven it says so' 'Maven is missing' "$out"
  check 'a build that failed leaves no lock' no "$([ -e "$tmp/check out/cli/target/run/lock" ] && echo yes || echo no)"

  with_maven="PATH=$tmp/mvn:$tmp/tools"
  run "$jdk" "$with_maven" "$shell" "$varve" log > "$tmp/a" &
  first=$!
  run "$jdk" "$with_maven" "$shell" "$varve" log > "$tmp/b"
  check 'of two first runs both succeed' 0 $?
  wait "$first"
  check 'the other too' 0 $?
  check 'and only one builds' 1 "$(grep -c built "$FAKE_LOG")"
  check_has 'with the JDK that was found' "built with $tmp/jdk 25" "$(cat "$FAKE_LOG")"
  check_has 'both start from the copy' "[$tmp/check out/cli/target/run/varve.jar]" "$(cat "$tmp/a")"
  check_has 'both start from the copy' "[$tmp/check out/cli/target/run/varve.jar]" "$(cat "$tmp/b")"

  out=$(run "$jdk" "$with_maven" "$shell" "$varve" log)
  check_lacks 'nothing is built twice' building "$out"
  sleep 1
  echo more > "$tmp/check out/core/src/main/A.java"
  out=$(env -i PATH="$tmp/mvn:$tmp/tools" FAKE_LOG="$FAKE_LOG" "$jdk" "$shell" "$varve" log 2> /dev/null)
  check 'what was edited is built again' 2 "$(grep -c built "$FAKE_LOG")"
  check_lacks 'Maven does not talk into the result' 'Maven talks' "$out"
  check_lacks 'nor does its progress' 'Building' "$out"

  for module in $(sed -n 's:.*<module>\(.*\)</module>.*:\1:p' "$here/pom.xml"); do
    case $module in bom | bench | dist) continue ;; esac
    mkdir -p "$tmp/check out/$module/src/main"
    run "$jdk" "$with_maven" "$shell" "$varve" log > "$tmp/a"
    sleep 1
    echo more > "$tmp/check out/$module/src/main/B.java"
    out=$(run "$jdk" "$with_maven" "$shell" "$varve" log)
    check_has "what was edited in $module is built again" 'varve: building' "$out"
  done
  check_has 'a build shows the module it is at' 'varve: Building Varve, core 0.1.0 [2/7]' "$out"
  check_has 'and what was downloaded' 'varve: downloaded 100 files' "$out"
  check_lacks 'a build that succeeds shows nothing else of Maven' 'Maven talks' "$out"

  sleep 1
  echo more > "$tmp/check out/core/src/main/A.java"
  out=$(run "$jdk" "$with_maven" FAKE_MVN=1 "$shell" "$varve" log)
  check 'a build that fails is status 69' 69 $?
  check_has 'and is told' 'the build failed' "$out"
  check_has 'with what Maven says' 'Maven talks' "$out"

  mkdir "$tmp/check out/cli/target/run/lock"
  sh -c 'echo $$' > "$tmp/check out/cli/target/run/lock/pid" # of a process that has ended
  out=$(run "$jdk" "$with_maven" "$shell" "$varve" log)
  check 'a lock that was left behind is taken over' 0 $?
}

for candidate in sh dash bash ksh "busybox sh"; do
  program=$(command -v "${candidate%% *}") || continue
  case $candidate in
    *' '*) printf '#!/bin/sh\nexec %s sh "$@"\n' "$program" > "$tmp/tools/shell" ;;
    *) printf '#!/bin/sh\nexec %s "$@"\n' "$program" > "$tmp/tools/shell" ;;
  esac
  chmod +x "$tmp/tools/shell"
  shell=$tmp/tools/shell
  test_all
done

# ---- a change in any module that the command is made of is noticed
shell=text
looked_at=$(sed -n '/^is_stale()/,/^}/p' "$here/varve")
for module in $(sed -n 's:^ *<module>\(.*\)</module>.*:\1:p' "$here/pom.xml"); do
  case $module in
    bom | bench | dist) ;;
    *) check_has "a change in $module makes the build stale" "\"\$root\"/$module " "$looked_at" ;;
  esac
done

# ---- the real thing
shell=real
out=$("$here/varve" --version)
check 'the real version' 0 $?
check_has 'the real version' 'varve ' "$out"
for cache in "$here"/cli/target/run/varve-*.aot; do
  if [ -s "$cache" ]; then
    cp "$cache" "$tmp/cache"
    printf 'not a cache' > "$cache"
    check 'a cache that does not fit is not spoken of' "$out" "$("$here/varve" --version 2>&1)"
    mv "$tmp/cache" "$cache"
  fi
done

if [ "$failures" -gt 0 ]; then
  echo "$failures failed"
  exit 1
fi
echo "launcher: all as expected"
