#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The self-contained archive and the packages for Debian and Fedora: two builds of one commit give the same bytes, also if the builders differ in
# their time zones, locales and masks of rights; the archive runs in a root folder that has no Java, and so does the package, the
# service included; what is installed has its promised size; the add-on for Apache Cassandra works beside the archive's jar. The
# second stage of the container file is run the same way, and the folder that the installers of Windows and macOS install. These two
# are refused here before anything is compiled.
#
# Usage: dist.sh CLONE: another checkout of the same commit
set -euo pipefail
cd "$(dirname "$0")/.."
clone=$1
work=$(mktemp -d)
service=
trap '[ -z "$service" ] || kill -9 "$service" 2> /dev/null || true; umount "$work"/*/proc 2> /dev/null || true; rm -rf --one-file-system "$work"' EXIT

build() {
  (cd "$1" && mvn -B -ntp -q -P"$2" -DskipTests -pl dist -am package)
}
for type in msi pkg; do
  ! build "$PWD" dist,$type > "$work/refused" 2>&1 || { echo "a package of the type $type was made on this system" >&2; exit 1; }
  grep -q ": jpackage makes a package of the type $type on [a-zA-Z]* only, and this is Linux.$" "$work/refused" || { cat "$work/refused"; exit 1; }
done
build "$PWD" dist,app-image
# The second builder has other habits and surroundings. Only a umask that takes rights from all others would change the bytes.
(
  umask 002
  chmod -R g+w "$clone"
  export TZ=Asia/Kolkata LC_ALL=C COLUMNS=50 NO_COLOR=1 VARVE_STORE=/nowhere
  export MAVEN_OPTS="${MAVEN_OPTS:-} -Duser.language=tr -Duser.country=TR -Duser.name=ann"
  build "$clone" dist
)
for file in varve-0.1.0-linux-x64.tar.gz varve_0.1.0_amd64.deb varve-0.1.0-1.x86_64.rpm varve-0.1.0-bom.json varve-cassandra.jar; do
  cmp "dist/target/$file" "$clone/dist/target/$file" || {
    diff dist/target/folder/classes.txt "$clone/dist/target/folder/classes.txt" || true
    exit 1
  }
  cmp "dist/target/$file.sha256" "$clone/dist/target/$file.sha256"
  (cd dist/target && sha256sum --quiet --check "$file.sha256")
  echo "the same bytes twice: $file"
done

# The list of licences names the group of each library in the bill of materials, or a group above it.
sed -n 's/^ *"group" : "\(.*\)",$/\1/p' dist/target/varve-0.1.0-bom.json | sort -u > "$work/groups"
[ "$(wc -l < "$work/groups")" -gt 20 ] || { echo "too few libraries in the bill of materials" >&2; exit 1; }
while read -r group; do
  above=$group
  until grep -q "^$above " NOTICE; do
    case $above in
      dev.varve | org.cyclonedx) break ;; # its own modules; what made the bill of materials
      *.*) above=${above%.*} ;;
      *) echo "NOTICE does not name the licence of $group" >&2; exit 1 ;;
    esac
  done
done < "$work/groups"
echo "each library has its licence in the list"

chroot=$(PATH=$PATH:/usr/sbin:/sbin command -v chroot)

# A root folder with a shell and the C library, and nothing else.
bare() {
  local root=$1 file
  mkdir -p "$root"/{bin,usr/bin,tmp,home,proc,dev,lib,lib64}
  cp "$(command -v busybox)" "$root/bin/busybox"
  for file in sh mkdir rm cat ls readlink stty find chmod sleep; do
    ln -sf busybox "$root/bin/$file"
  done
  for file in "$2/bin/java" "$2/lib/server/libjvm.so" "$2"/lib/lib*.so; do
    ldd "$file" 2> /dev/null | grep -oE '/[^ ]+\.so[^ ]*' || true
  done | sort -u | grep -v "^$2" | while read -r file; do
    mkdir -p "$root$(dirname "$file")"
    cp -L "$file" "$root$file"
  done
  : > "$root/dev/null"
  mount -t proc proc "$root/proc" # the loader finds the libraries beside a program through it
}

command -v busybox > /dev/null || apt-get install -y -q busybox-static > "$work/apt.log" 2>&1 || { cat "$work/apt.log"; exit 1; }

try() {
  local root=$1 command=$2
  bare "$root" "$3"
  if "$chroot" "$root" /bin/sh -c 'command -v java' > /dev/null; then
    echo "a Java is in the bare root folder" >&2
    exit 1
  fi
  env -i HOME=/home PATH=/bin:/usr/bin "$chroot" "$root" "$command" --version
  env -i HOME=/home PATH=/bin:/usr/bin "$chroot" "$root" "$command" demo > "$work/demo"
  grep -q '14 (context 1: Fix the due date)' "$work/demo"
  env -i HOME=/home PATH=/bin:/usr/bin VARVE_STORE=/tmp/store "$chroot" "$root" "$command" new --title first > "$work/new"
  [ "$(cat "$work/new")" = 1 ]
  env -i HOME=/home PATH=/bin:/usr/bin VARVE_STORE=/tmp/store "$chroot" "$root" "$command" check > /dev/null 2>&1
  # What commands load by name is in the runtime too: a database's driver and its pool, the words' index.
  env -i HOME=/home PATH=/bin:/usr/bin "$chroot" "$root" "$command" contexts --store postgresql://localhost:1/x 2> "$work/err" || true
  grep -q 'does not answer' "$work/err" || { cat "$work/err"; exit 1; }
  env -i HOME=/home PATH=/bin:/usr/bin VARVE_STORE=/tmp/store "$chroot" "$root" "$command" search nothing > /dev/null
}

mkdir "$work/archive"
tar -xzf dist/target/varve-0.1.0-linux-x64.tar.gz -C "$work/archive"
size=$(du -sm "$work/archive" | cut -f1)
[ "$size" -le 90 ] || { echo "the archive takes $size MB unpacked" >&2; exit 1; }
try "$work/archive" /varve-0.1.0/varve "$work/archive/varve-0.1.0/runtime"
# Java says where a class comes from: the class archive is in use.
VARVE_JAVA_OPTS='-Xlog:class+load:file='"$work/classes" "$work/archive/varve-0.1.0/varve" --version > /dev/null
grep -q 'dev.varve.cli.Main source: shared objects file' "$work/classes"
echo "the archive runs without Java, $size MB"

# What jpackage makes of the same folder, with the launcher that the installers of Windows and macOS have.
mkdir "$work/image"
cp -a dist/target/app-image/varve "$work/image"
try "$work/image" /varve/bin/varve "$work/image/varve/lib/runtime"
# Java would end if the class archive of the folder did not fit.
[ "$(JAVA_TOOL_OPTIONS=-Xshare:on "$work/image/varve/bin/varve" --version 2> /dev/null)" = 'varve 0.1.0' ]
echo "the folder of jpackage runs without Java; its installers are refused on this system"

# Stores on Cassandra are refused by name without the add-on, and asked with the add-on beside the jar. Other commands go on as before.
mkdir "$work/extended"
cp -a "$work/archive/varve-0.1.0" "$work/extended"
extended=$work/extended/varve-0.1.0
! "$extended/varve" contexts --store cassandra://localhost:1/x 2> "$work/err" || exit 1
grep -q 'no stores at addresses that begin with cassandra://' "$work/err" || { cat "$work/err"; exit 1; }
cp dist/target/varve-cassandra.jar "$extended"
! "$extended/varve" contexts --store cassandra://localhost:1/x 2> "$work/err" || exit 1
grep -q 'cassandra://localhost:1/x.* does not answer' "$work/err" || { cat "$work/err"; exit 1; }
[ "$(HOME=$work "$extended/varve" new --store "$work/store" 2> "$work/err")" = 1 ] || { cat "$work/err"; exit 1; }
echo "the add-on for Apache Cassandra works beside the archive's jar"

mkdir "$work/package"
dpkg-deb -x dist/target/varve_0.1.0_amd64.deb "$work/package"
try "$work/package" /usr/bin/varve "$work/package/usr/lib/varve/runtime"
[ -f "$work/package/usr/share/man/man1/varve-serve.1" ] || [ -f "$work/package/usr/share/man/man1/varve-serve.1.gz" ]
unit=$work/package/usr/lib/systemd/system/varve.service
if command -v systemd-analyze > /dev/null && [ -f /usr/lib/systemd/system/sysinit.target ]; then
  sed "s#^ExecStart=/usr/bin#ExecStart=$work/package/usr/bin#" "$unit" > "$work/varve.service"
  systemd-analyze verify --man=no "$work/varve.service"
fi
started=$(sed -n 's/^ExecStart=//p' "$unit")
[ "${started%% *}" = /usr/bin/varve ] && [ -L "$work/package/usr/bin/varve" ]
# The unit's own command runs as a user who may write into the state's folder alone, is ready, and ends in order.
read -r -a start <<< "$started"
mkdir -p "$work/package/var/lib/varve"
chown 10001:10001 "$work/package/var/lib/varve"
chmod 1777 "$work/package/tmp"
(exec env -i PATH=/usr/bin:/bin "$(sed -n 's/^Environment=//p' "$unit")" VARVE_HTTP=127.0.0.1:0 VARVE_BINARY=127.0.0.1:0 \
  "$chroot" --userspec=10001:10001 "$work/package" "${start[@]}") > "$work/served" 2>&1 &
service=$!
for _ in $(seq 240); do
  ! grep -q '^ready: ' "$work/served" || break
  sleep 0.5
done
grep -q '^ready: /var/lib/varve/store on http://127.0.0.1:' "$work/served" || { cat "$work/served"; exit 1; }
kill -TERM "$service"
wait "$service" || { cat "$work/served"; echo "SIGTERM ends the unit's command with $?" >&2; exit 1; }
service=
echo "the package runs without Java, and so does the command of its unit"

# The package for Fedora has the same files, and runs as well.
mkdir "$work/rpm"
busybox rpm2cpio dist/target/varve-0.1.0-1.x86_64.rpm | (cd "$work/rpm" && busybox cpio -idm 2> /dev/null)
diff -r "$work/package/usr/lib" "$work/rpm/usr/lib"
[ "$(readlink "$work/rpm/usr/bin/varve")" = ../lib/varve/varve ] && [ -f "$work/rpm/usr/share/man/man1/varve-serve.1" ]
[ "$(cd "$work/package/usr/lib/varve" && find . -type f -perm -u+x | sort)" = "$(cd "$work/rpm/usr/lib/varve" && find . -type f -perm -u+x | sort)" ]
try "$work/rpm" /usr/bin/varve "$work/rpm/usr/lib/varve/runtime"
echo "the package for Fedora runs without Java"

# The container's second stage: the service runs from the archive.
bare "$work/container" "$work/archive/varve-0.1.0/runtime"
bash .ci/containerfile.sh "$work/container" "$work/archive/varve-0.1.0"
