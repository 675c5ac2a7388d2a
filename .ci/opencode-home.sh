# SPDX-License-Identifier: Apache-2.0
#
# To be sourced. Needs sqlite3.

# opencode_home FIXTURE HOME: lays a recorded database of opencode out as its agent keeps it; fails if the fixture has none.
opencode_home() {
  local fixture=$1 home=$2 folder
  mkdir -p "$home"
  if [ -f "$fixture/db.tar.gz" ]; then
    tar xzf "$fixture/db.tar.gz" -C "$home" # as it lay, with the log beside it
  elif [ -f "$fixture/opencode.sql" ]; then
    sqlite3 "$home/opencode.db" < "$fixture/opencode.sql" > /dev/null
  else
    return 1
  fi
  for folder in storage tool-output; do
    [ ! -d "$fixture/$folder" ] || cp -a "$fixture/$folder" "$home"
  done
}
