#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# dist/Containerfile. Where no builder is, its rules are checked and its second stage is run in a bare root folder: as its user, with
# a root that cannot be written to and one volume. The health check finds the service well, and SIGTERM ends it with status 0.
# Called by dist.sh, with the needed files of a system already in the root folder.
#
# Usage: containerfile.sh ROOT FOLDER: a bare root folder; the self-contained folder, which becomes /opt/varve
set -euo pipefail
root=$1
folder=$2
file=$(dirname "$0")/../dist/Containerfile
chroot=$(PATH=$PATH:/usr/sbin:/sbin command -v chroot)

fail() {
  echo "Containerfile: $*" >&2
  exit 1
}

# The value of an instruction of the last stage.
last() {
  sed -e ':a' -e '/\\$/N' -e 's/\\\n//' -e 'ta' "$file" | awk -v of="$1" '/^FROM /{v=""} $1 == of {sub(/^[A-Z]+ /, ""); v=$0} END {print v}'
}

# A list in brackets as words. No word of the file has a blank or a quote in it.
words() {
  sed -e 's/.*\[//' -e 's/\].*//' -e 's/[",]/ /g' <<< "$1"
}

[ "$(grep -c '^FROM ' "$file")" = 2 ] || fail "expected two stages"
[ "$(grep -c '^VOLUME ' "$file")" = 1 ] || fail "expected one volume"
grep '^FROM ' "$file" | grep -qv ':latest' || fail "an image without a version"
! grep -q '^ADD \|sudo\|:latest' "$file" || fail "ADD, sudo or :latest"
grep -q '^COPY --from=build /opt/varve /opt/varve$' "$file" || fail "the second stage takes more than the folder, or less"
user=$(last USER)
volume=$(last VOLUME)
[ "$user" -gt 0 ] || fail "the user is root"
[ "$(last STOPSIGNAL)" = SIGTERM ] || fail "another signal than SIGTERM"
read -r -a start <<< "$(words "$(last ENTRYPOINT)") $(words "$(last CMD)")"
read -r -a health <<< "$(words "$(last HEALTHCHECK)")"
[ "${health[0]}" = "${start[0]}" ] || fail "the health check runs another program"

mkdir -p "$root/opt" "$root$volume"
cp -a "$folder" "$root/opt/varve"
work=$(mktemp -d)
state=$work/state
service=
cleanup() {
  [ -z "$service" ] || kill -9 "$service" 2> /dev/null || true
  umount -R "$root" 2> /dev/null || true
  rm -rf --one-file-system "$work"
}
trap cleanup EXIT
mkdir "$state"
chown "$user" "$state"
mount --rbind "$root" "$root"
mount --bind "$state" "$root$volume"
grep -q -- '--read-only --tmpfs /tmp:exec ' "$file" || fail "does not say that /tmp must let libraries be loaded"
mount -t tmpfs -o exec none "$root/tmp"
mount -o remount,bind,ro "$root"

locale=$(last ENV)
inside() {
  env -i PATH=/usr/bin:/bin "$locale" "$chroot" --userspec="$user:$user" "$root" "$@"
}

! inside /bin/sh -c 'echo x > /opt/varve/x' 2> /dev/null || fail "the root can be written to"
: > "$work/out"
(exec env -i PATH=/usr/bin:/bin "$locale" "$chroot" --userspec="$user:$user" "$root" "${start[@]}") > "$work/out" 2>&1 &
service=$!
for _ in $(seq 120); do
  ! grep -q '^ready: ' "$work/out" || break
  sleep 0.5
done
grep -q '^ready: ' "$work/out" || { cat "$work/out"; fail "the service does not start"; }
inside "${health[@]}" > "$work/health" || fail "the health check fails"
kill -TERM "$service"
status=0
wait "$service" || status=$?
service=
[ "$status" = 0 ] || { cat "$work/out"; fail "SIGTERM ends the service with $status"; }
! inside "${health[@]}" --json --store /nowhere > /dev/null 2>&1 || fail "the health check is content without a store"
[ -d "$state/store" ] || fail "nothing is in the volume"
echo "the container's second stage: user $user, read-only root, healthy, ends with status 0"
