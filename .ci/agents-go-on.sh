#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The real Gemini CLI, Qwen Code, Codex, opencode and Cline, each against a scripted model on loopback: a session is held, archived while
# the agent works, deleted, put back into an empty home, and gone on with. The model must then receive what it receives without Varve.
#
# usage: agents-go-on.sh LAB [AGENT…]        LAB: the folder of scripts that install the agents and play their models
# AGENTS_LAB_DIR: where the agents are installed, or will be (default: a temporary folder). VARVE: the command to try.
# CLAUDE_CODE=yes: also Claude Code, which is its vendor's program.
set -euo pipefail
lab=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
varve=${VARVE:-$root/varve}
work=$(mktemp -d)
pids=()
trap 'for pid in "${pids[@]}"; do kill "$pid" 2> /dev/null || true; done; rm -rf "$work"' EXIT
export AGENTS_LAB_DIR=${AGENTS_LAB_DIR:-$work/lab}
export VARVE_STORE=$work/store
home=$work/home
demo=$home/src/demo

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# Reads lines of JSON; prints the field of each.
field() {
  sed -n "s/.*\"$1\":\"\\{0,1\\}\\([^\",}]*\\)\"\\{0,1\\}[,}].*/\\1/p"
}

# The name that Varve has for an agent.
name_of() { case $1 in claude) echo claude-code ;; *) echo "$1" ;; esac; }

install() {
  [ -n "$(find "$AGENTS_LAB_DIR/$1" -maxdepth 2 -name node_modules 2> /dev/null)" ] || bash "$lab/$1/install.sh" > "$work/install.log" 2>&1 ||
    { cat "$work/install.log"; fail "$1 cannot be installed"; }
}

# model PROGRAM: plays a model on a port that the system gives; $work/bodies has what it receives
model() {
  rm -rf "$work/bodies" "$work/model.log"
  mkdir "$work/bodies"
  port=$(node "$root/.ci/free-port.mjs")
  node "$1" "$port" "$work/model.log" "$work/bodies" > /dev/null &
  pids+=($!)
  node -e '
    const net = require("node:net"), until = Date.now() + 20000;
    const look = () => net.connect(+process.argv[1], "127.0.0.1").on("connect", () => process.exit(0))
      .on("error", () => Date.now() < until ? setTimeout(look, 50) : process.exit(1));
    look();' "$port" || fail "no model on port $port"
}

# An agent's environment: nothing of this computer but the programs. Some agents wait for the end of their input.
clean() {
  (cd "$demo" && timeout 120 env -i PATH="$AGENTS_LAB_DIR/qwen/node_modules/.bin:$PATH" HOME="$home" TZ=UTC LANG=C.UTF-8 TERM=xterm-256color "$@" < "${input:-/dev/null}")
}

# A call of the tools of Gemini CLI and Qwen Code that write a file, and that run a command.
write_call() { printf '{"tool":"write_file","args":{"file_path":"%s","content":"hello\\n"}}' "$1"; }
run_call() { printf '{"tool":"run_shell_command","args":{"command":"%s","description":"look","is_background":false}}' "$1"; }
session_id() { head -1 "$1" | field sessionId; }
# Whether a file of an agent's folder is of the session: settings are not, and of a database rows come back and not the bytes.
is_own() { [[ $1 != ./settings.json && $1 != ./config.toml && $1 != ./instructions.md && $1 != ./opencode.db* ]]; }
# Another program writes to a session.
disturb() { printf 'x' >> "$1"; }
is_disturbed() { [ "$(tail -c 1 "$1")" = x ]; }

gemini_folder=.gemini
gemini_settings() {
  sed 's/"checkpointing"/"sessionRetention": { "enabled": false }, "checkpointing"/' "$lab/gemini/settings.json" > "$home/.gemini/settings.json"
}
gemini_says() {
  clean GEMINI_API_KEY=dummy GOOGLE_GEMINI_BASE_URL="http://127.0.0.1:$port" GEMINI_CLI_NO_RELAUNCH=true \
    GEMINI_TELEMETRY_ENABLED=false NO_BROWSER=1 node "$AGENTS_LAB_DIR/gemini/node_modules/@google/gemini-cli/bundle/gemini.js" -y "$@"
}
gemini_first() { gemini_says -p "$1"; }
gemini_next() { gemini_says -r "$1" -p "$2"; }
gemini_main() { ls "$home"/.gemini/tmp/demo/chats/session-*.jsonl; }
gemini_model=$lab/gemini/fake-gemini.mjs

qwen_folder=.qwen
qwen_settings() {
  cat > "$home/.qwen/settings.json" << 'J'
{"telemetry":{"enabled":false},"privacy":{"usageStatisticsEnabled":false},"general":{"disableAutoUpdate":true,"enableAutoUpdate":false},"security":{"auth":{"selectedType":"openai"},"folderTrust":{"enabled":false}},"model":{"name":"fake-1"}}
J
}
qwen_says() {
  clean OPENAI_BASE_URL="http://127.0.0.1:$port/v1" OPENAI_API_KEY=dummy OPENAI_MODEL=fake-1 NO_UPDATE_NOTIFIER=1 \
    QWEN_CODE_SUPPRESS_YOLO_WARNING=1 qwen --auth-type openai --yolo -o json "$@"
}
qwen_first() { qwen_says "$1"; }
qwen_next() { qwen_says --resume "$1" "$2"; }
qwen_main() { ls "$home"/.qwen/projects/*/chats/*.jsonl; }
qwen_model=$lab/qwen/fake-openai.mjs

codex_folder=.codex
codex_settings() {
  sed "s/18791/$port/; s#\"/[a-z]*/dev/#\"$home/#" "$lab/codex/config.toml" > "$home/.codex/config.toml"
  echo 'You are a coding agent under test. Be brief.' > "$home/.codex/instructions.md"
}
codex_says() {
  clean CODEX_HOME="$home/.codex" FAKE_KEY=sk-fake-not-real "$(ls "$AGENTS_LAB_DIR"/codex/*/node_modules/@openai/codex-*/vendor/*/bin/codex | tail -1)" \
    exec --dangerously-bypass-approvals-and-sandbox --json "$@"
}
codex_first() { codex_says "$1"; }
codex_next() { codex_says resume "$1" "$2"; }
codex_main() { find "$home/.codex/sessions" -name 'rollout-*.jsonl'; }
codex_model=$lab/codex/fake-responses.mjs
codex_write_call() { codex_run_call "echo hello > $1"; }
codex_run_call() { printf '{"tool":"exec_command","args":{"cmd":"%s","yield_time_ms":20000}}' "$1"; }
codex_session_id() { head -1 "$1" | grep -oE '"id":"[0-9a-f-]{36}"' | head -1 | cut -d'"' -f4; }

opencode_folder=.local/share/opencode
opencode_settings() {
  mkdir -p "$home/.config/opencode"
  sed "s/18082/$port/" "$lab/opencode/opencode.json" > "$home/.config/opencode/opencode.json"
}
opencode_says() { # the prompt comes by the standard input: opencode quotes an argument with spaces
  printf '%s' "$1" > "$work/prompt"
  shift
  input=$work/prompt clean OPENCODE_DISABLE_AUTOUPDATE=1 OPENCODE_DISABLE_MODELS_FETCH=1 OPENCODE_DISABLE_LSP_DOWNLOAD=1 \
    OPENCODE_DISABLE_DEFAULT_PLUGINS=1 OPENCODE_DISABLE_EXTERNAL_SKILLS=1 "$AGENTS_LAB_DIR/opencode/opencode" run --auto "$@"
}
opencode_first() { opencode_says "$1"; }
opencode_next() { opencode_says "$2" -s "$1"; }
opencode_main() { ls "$home/.local/share/opencode/opencode.db"; }
opencode_model=$lab/opencode/fake-openai.mjs
opencode_write_call() { printf '{"tool":"write","args":{"filePath":"%s","content":"hello\\n"}}' "$1"; }
opencode_run_call() { printf '{"tool":"bash","args":{"command":"%s","description":"look"}}' "$1"; }
opencode_disturb() {
  command -v sqlite3 > /dev/null || { echo "NOT RUN: a changed row of opencode needs sqlite3"; return 1; }
  sqlite3 "$1" "UPDATE session SET title = 'Disturbed'"
}
opencode_is_disturbed() { [ "$(sqlite3 "$1" 'SELECT DISTINCT title FROM session')" = Disturbed ]; }
opencode_session_id() { field session < "$work/after.json"; }

cline_folder=.cline
cline() {
  clean SHELL=/bin/bash CLINE_TELEMETRY_DISABLED=1 DO_NOT_TRACK=1 CLINE_NO_AUTO_UPDATE=1 GO_ON_MARK="$work" "$@"
}
cline_program=$AGENTS_LAB_DIR/cline/node_modules/.bin/cline
cline_settings() {
  cline "$cline_program" auth -p openai-compatible -k dummy -m fake-1 -b "http://127.0.0.1:$port/v1" > "$work/auth" 2>&1 || { cat "$work/auth"; fail "cline auth"; }
}
cline_first() { cline "$cline_program" --json "$1"; end_hub; }
cline_next() { # goes on at a terminal only
  local terminal=(tmux -L "varve-$$" -f /dev/null) look
  cline "${terminal[@]}" new-session -d -s t -x 140 -y 45 -c "$demo" "$cline_program --id $1"
  for look in $(seq 120); do ! "${terminal[@]}" capture-pane -p -t t | grep -q 'Ask anything' || break; sleep 0.25; done
  sleep 1.5
  "${terminal[@]}" send-keys -t t -l -- "$2"
  sleep 1
  "${terminal[@]}" send-keys -t t Enter
  for look in $(seq 160); do ! grep -q '"text": "Went on\."' "$(cline_main)" || break; sleep 0.25; done
  [ "$look" -lt 160 ] || "${terminal[@]}" capture-pane -p -t t
  sleep 1
  "${terminal[@]}" send-keys -t t C-c || true
  sleep 1
  "${terminal[@]}" kill-server 2> /dev/null || true
  end_hub
}
end_hub() { # Cline leaves a program behind
  local pid
  for pid in $(pgrep -f -- --cline-hub-daemon); do
    ! tr '\0' '\n' < "/proc/$pid/environ" 2> /dev/null | grep -q "^GO_ON_MARK=$work$" || kill "$pid" || true
  done
  sleep 0.5
}
cline_main() { ls "$home"/.cline/data/sessions/*/*.messages.json; }
cline_model=$lab/cline/fake-openai.mjs
cline_write_call() { printf '{"tool":"editor","args":{"path":"%s","new_text":"hello\\n"}}' "$1"; }
cline_run_call() { printf '{"tool":"run_commands","args":{"commands":["%s"]}}' "$1"; }
cline_session_id() { basename "$1" .messages.json; }
cline_is_own() { [[ $1 == ./data/sessions/* ]]; }

claude_folder=.claude
claude_settings() { :; }
claude_says() {
  clean ANTHROPIC_BASE_URL="http://127.0.0.1:$port" ANTHROPIC_API_KEY=dummy ANTHROPIC_MODEL=claude-sonnet-4-5 DISABLE_TELEMETRY=1 DISABLE_AUTOUPDATER=1 \
    DISABLE_ERROR_REPORTING=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 "$AGENTS_LAB_DIR/claude-code/node_modules/.bin/claude" \
    --permission-mode acceptEdits --allowedTools "Bash Read Write Edit" --output-format json -p "$@"
}
claude_first() { claude_says "$1"; }
claude_next() { claude_says --resume "$1" "$2"; }
claude_main() { ls "$home"/.claude/projects/*/*.jsonl; }
claude_model=$lab/claude-code/fake-anthropic.mjs
claude_write_call() { printf '{"tool":"Write","args":{"file_path":"%s","content":"hello\\n"}}' "$1"; }
claude_run_call() { printf '{"tool":"Bash","args":{"command":"%s","description":"look"}}' "$1"; }
claude_session_id() { basename "$1" .jsonl; }
claude_is_own() { [[ $1 == ./projects/* ]]; }

# of AGENT FUNCTION ARGUMENT…: the function of the agent, or the one of most agents
of() {
  local agent=$1 name=$2
  shift 2
  if declare -F "${agent}_$name" > /dev/null; then "${agent}_$name" "$@"; else "$name" "$@"; fi
}

# sync AGENT: archives what the agent has in the home
sync() {
  local own=$HOME
  [ "$1" != cline ] || own=$home # no variable names its folder
  HOME=$own CLAUDE_CONFIG_DIR=$home/.claude GEMINI_CLI_HOME=$home QWEN_HOME=$home/.qwen CODEX_HOME=$home/.codex XDG_DATA_HOME=$home/.local/share "$varve" sync "$(name_of "$1")" --json
}

# received FILE: what the model received with the prompt to go on
received() {
  local body
  body=$(grep -l 'Go on with it' "$work"/bodies/* | sort | head -1)
  [ -n "$body" ] || fail "the model received no prompt to go on"
  node -e '
    const body = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
    // The prompt to go on is new each time, and so is the id that an agent gives the prompt.
    const old = (body.input ?? []).map((item) => JSON.stringify(item).includes("Go on with it") ? { ...item, id: "new" } : item);
    console.log(JSON.stringify(body.contents ?? (body.input ? old : body), null, 1));' "$body" > "$1"
}

# fresh AGENT: an empty home with the project as it was, and the agent settings
fresh() {
  local folder=$1_folder
  rm -rf "$home"
  mkdir -p "$home/src" "$home/${!folder}"
  cp -a "$work/demo" "$demo"
  "$1_settings"
}

go_on() {
  local agent=$1 folder=$1_folder model=$1_model script main id context name
  install "$(name_of "$agent")"
  rm -rf "$home" "$work/store" "$work/demo" "$work/at"
  mkdir -p "$work/demo"
  (cd "$work/demo" && git init -q -b main . && git config user.name dev && git config user.email dev@example.invalid && echo v0 > a.txt && git add -A && git commit -qm init)
  model "${!model}"
  fresh "$agent"

  echo "== $agent: a session that is archived while its agent works"
  script="[{\"think\":\"I write.\",\"text\":\"Writing.\",\"calls\":[$(of "$agent" write_call "$demo/b.txt")]},{\"calls\":[$(of "$agent" run_call "cat b.txt; sleep 8")]},{\"text\":\"Done.\"}]"
  "${agent}_first" "Make a file. SCRIPT $script" > "$work/answer" 2>&1 &
  local first=$!
  node -e '
    const fs = require("node:fs"), until = Date.now() + 90000;
    const look = () => fs.existsSync(process.argv[1]) ? process.exit(0) : Date.now() < until ? setTimeout(look, 50) : process.exit(1);
    look();' "$demo/b.txt" || fail "$agent did not work: $(cat "$work/answer")"
  sync "$agent" > "$work/during.json"
  wait "$first" || fail "$agent: $(tail -3 "$work/answer")"
  sync "$agent" > "$work/after.json"
  [ "$(field outcome < "$work/during.json")" = new ] || fail "not archived while $agent worked: $(cat "$work/during.json")"
  grep -qE '^(grown|rewritten)$' <<< "$(field outcome < "$work/after.json")" || fail "not grown: $(cat "$work/after.json")"
  main=$("${agent}_main")
  id=$(of "$agent" session_id "$main")
  context=$(field manifest_context_id < "$work/after.json")
  cp -a "$home" "$work/at"
  rm -rf "$work/demo"
  cp -a "$demo" "$work/demo"

  echo "== $agent: goes on without Varve"
  "${agent}_next" "$id" "Go on with it. SCRIPT [{\"text\":\"Went on.\"}]" > "$work/answer" 2>&1 || fail "$agent: $(tail -3 "$work/answer")"
  received "$work/without.json"

  echo "== $agent: all is deleted, put back into an empty home, and goes on"
  fresh "$agent"
  find "$work/bodies" -type f -delete
  "$varve" put-back "$context" --to "$home/${!folder}" --dry-run > /dev/null
  find "$home/${!folder}" \( -name '*.jsonl' -o -name '*.db' -o -name '*.messages.json' \) | grep -v /db/ | grep . && fail "a plan wrote something"
  "$varve" put-back "$context" --to "$home/${!folder}" > "$work/plan.txt" 2> "$work/said.txt"
  grep -q "^Go on with it.*$id" "$work/said.txt" || fail "no word of how to go on: $(cat "$work/said.txt")"
  while IFS= read -r -d '' name; do
    of "$agent" is_own "$name" || continue
    cmp "$home/${!folder}/$name" "$work/at/${!folder}/$name" || fail "$name came back with other bytes"
  done < <(cd "$home/${!folder}" && find . -type f -print0)
  "${agent}_next" "$id" "Go on with it. SCRIPT [{\"text\":\"Went on.\"}]" > "$work/answer" 2>&1 || fail "$agent: $(tail -3 "$work/answer")"
  received "$work/with.json"
  cmp "$work/without.json" "$work/with.json" || { diff "$work/without.json" "$work/with.json" | head -40; fail "the model of $agent received something else"; }
  [ "$(grep -c '"role"' "$work/with.json")" -ge 6 ] || fail "the model of $agent was not told what was said before"

  echo "== $agent: what went on is archived, and is in nobody's way"
  [ "$(sync "$agent" | field outcome | grep -cE '^(grown|rewritten)$')" -ge 1 ] || fail "what $agent added is not archived"
  of "$agent" disturb "$main" || return 0
  "$varve" put-back "$context" --to "$home/${!folder}" > /dev/null 2>&1 && fail "what another program wrote was overwritten"
  of "$agent" is_disturbed "$main" || fail "what another program wrote was changed"
}

[ $# -le 1 ] || { for agent in "${@:2}"; do go_on "$agent"; done; exit; }
go_on gemini
go_on qwen
go_on codex
go_on opencode
if command -v tmux > /dev/null; then
  go_on cline
else
  echo "NOT RUN: Cline goes on at a terminal only, which needs tmux"
fi
[ "${CLAUDE_CODE:-}" != yes ] || go_on claude
echo "the agents go on with what was put back"
