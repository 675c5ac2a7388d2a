#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Histories that real agents wrote go into a store and come back: agents.sh FOLDER, the folder with the fixtures of each agent.
# Every session is imported, its records are counted, a second import adds nothing, and every file that was archived is put back
# and compared: bytes and time of the last write. Of opencode's databases, the rows are compared.
set -euo pipefail
cd "$(dirname "$0")/.."
. .ci/opencode-home.sh
varve=${VARVE:-./varve}
lab=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export VARVE_STORE=$work/store
sessions=0
files=0
databases=0

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

# Reads lines of JSON; prints the field of each.
field() {
  sed -n "s/.*\"$1\":\"\\{0,1\\}\\([^\",}]*\\)\"\\{0,1\\}[,}].*/\\1/p"
}

# archive AGENT HOME: imports all, counts, and puts all sessions into $work/back
archive() {
  local agent=$1 home=$2
  rm -rf "$work/store" "$work/back"
  "$varve" import "$agent" "$home" --json > "$work/first.json" || fail "import $agent $home"
  while read -r line; do
    local records sum name
    records=$(field records <<< "$line")
    sum=0
    for name in turns_new turns_shared bookkeeping duplicates unreadable; do
      sum=$((sum + $(field "$name" <<< "$line")))
    done
    [ "$records" = "$sum" ] || fail "$records records, but $sum counted: $line"
    [ "$(field turns_new <<< "$line")$(field turns_shared <<< "$line")" != 00 ] || fail "nothing understood: $line"
  done < "$work/first.json"
  "$varve" import "$agent" "$home" --json | field outcome | grep -vx unchanged && fail "a second import of $home was not without change"
  for context in $(field manifest_context_id < "$work/first.json"); do
    "$varve" put-back "$context" --to "$work/back" -q > /dev/null || fail "put-back $context of $home"
    sessions=$((sessions + 1))
  done
}

# check AGENT HOME
check() {
  local agent=$1 home=$2
  archive "$agent" "$home"
  while IFS= read -r -d '' file; do
    local name=${file#"$work/back/"}
    cmp "$file" "$home/$name" || fail "$name of $home came back with other bytes"
    [ "$(stat -c %Y.%y "$file")" = "$(stat -c %Y.%y "$home/$name")" ] || fail "$name of $home came back with another time"
    files=$((files + 1))
  done < <(find "$work/back" -type f -print0)
  local missing
  missing=$(comm -13 <(cd "$work/back" && find . -type f | sort) <(cd "$home" && transcripts "$agent"))
  [ -z "$missing" ] || fail "not archived of $home: $missing"
}

# check_rows HOME: of a database, the rows come back
check_rows() {
  local home=$1 table
  archive opencode "$home"
  [ -n "$(rows "$home" part)" ] || fail "no rows in $home"
  for table in session message part todo event; do
    cmp <(rows "$home" "$table") <(rows "$work/back" "$table") || fail "the rows of $table in $home came back otherwise"
  done
  databases=$((databases + 1))
}

# rows HOME TABLE: but for the secret of a share, which is never archived
rows() {
  sqlite3 -json "$1/opencode.db" "SELECT * FROM $2 ORDER BY 1, 2"
}

# The transcripts that an agent has in the current folder.
transcripts() {
  case $1 in
  claude-code) find . -path './projects/*' -name '*.jsonl' | sort ;;
  codex) find . -name 'rollout-*.jsonl' | sort ;;
  cline) find . -name '*.json' | sort ;;
  gemini) find . -path './tmp/*/chats/*' -name '*.jsonl' | sort ;;
  aider) find . -name '*.md' | sort ;;
  amp | roo) find . -name '*.json' | sort ;;
  copilot | cursor | factory | kiro) find . -name '*.jsonl' | sort ;;
  qwen) find . -path './projects/*/chats/*.jsonl' -o -path './projects/*/subagents/*' -name '*.jsonl' | sort ;;
  esac
}

while IFS= read -r home; do check claude-code "$home"; done < <(find "$lab/claude-code/fixtures" -type d -name .claude | sort)
while IFS= read -r home; do
  find "$home" -name 'rollout-*' | grep -q . && check codex "$home"
done < <(find "$lab/codex/fixtures" -type d \( -name .codex -o -path '*/snap/*' -prune \) | sort)
while IFS= read -r home; do check cline "$home"; done < <(find "$lab/cline/fixtures" -type d -name .cline | sort)
while IFS= read -r home; do check gemini "$home"; done < <(find "$lab/gemini/fixtures" -type d -name .gemini | sort)
while IFS= read -r home; do check qwen "$home"; done < <(find "$lab/qwen/fixtures" -type d -name .qwen | sort)
if command -v sqlite3 > /dev/null; then
  for fixture in "$lab"/opencode/fixtures/*/*/; do
    home=$work/home
    rm -rf "$home"
    opencode_home "$fixture" "$home" || continue
    check_rows "$home"
  done
else
  echo "NOT RUN: the databases of opencode need sqlite3"
fi
samples=$lab/../../fixtures/agents
if [ -d "$samples/gemini" ]; then
  mkdir -p "$work/logs" "$work/documents"
  cp -p "$samples"/gemini/*.jsonl "$work/logs"
  cp -p "$samples"/gemini/agentsview/*.json "$work/documents"
  check gemini "$work/logs"
  check gemini "$work/documents"
  check qwen "$samples/qwen"
  # place FOLDER SAMPLE...: lays samples where their agent keeps them
  place() {
    local home=$work/$1
    mkdir -p "$home"
    cp -pr "${@:2}" "$home"
  }
  place copilot/session-state/7cf44517 "$samples"/copilot/events.jsonl
  place cursor/projects/demo/agent-transcripts "$samples"/cursor/*.jsonl
  place amp/threads "$samples"/amp/*.json
  place kiro/sessions/cli "$samples"/kiro/*
  place factory/sessions "$samples"/factory/*
  mkdir -p "$work/aider" && cp -p "$samples"/aider/*.md "$work/aider/.aider.chat.history.md"
  place roo "$samples"/roo/tasks
  for agent in copilot cursor amp kiro factory aider roo; do check "$agent" "$work/$agent"; done
fi
printf '%d sessions, %d files: byte for byte; %d databases: row for row\n' "$sessions" "$files" "$databases"
