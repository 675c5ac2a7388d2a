// SPDX-License-Identifier: Apache-2.0

// A `varve rewind serve` that is stricter than the real one: it refuses fields that docs/stdio.md does not have, requests about a
// session before there is one, ids that come again, and entries that do not follow those it knows. It keeps no files. What it
// was asked goes to the file FAKE_LOG, a line a request; faults of the other side as {"violation": …}.
//
// FAKE_PLAN, JSON: for a request's name what is to happen: "die", "die after" the answer, "babble", {"delayMs": n}, {"answer": {…}}, or a list of these, one a time.
// An element null means: as always. The position in a list is kept in FAKE_LOG.plan over restarts.

import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

if (process.argv.slice(2).join(" ") !== "rewind serve") {
  process.stderr.write(`varve: unexpected arguments: ${process.argv.slice(2).join(" ")}\n`);
  process.exit(2);
}

const log = process.env.FAKE_LOG;
const plan = JSON.parse(process.env.FAKE_PLAN ?? "{}");
const MENUS = {
  fork: [
    ["conversation-only", "Conversation only (keep current files)", null],
    ["restore-all", "Restore all (files + conversation)", "2 files change"],
    ["code-only", "Code only (restore files, keep conversation)", "2 files change"],
    ["undo", "Undo last file rewind", "1 file changes"],
  ],
  tree: [
    ["keep", "Keep current files", null],
    ["restore", "Restore files to that point", "2 files change"],
    ["undo", "Undo last file rewind", "1 file changes"],
  ],
};
const TEXT = "string";
const NAME = ["string", "null"];
const SESSION = { leaf: NAME, entries: ["array"] };
const REQUESTS = {
  session: {
    fields: {
      session_file: NAME,
      session_id: [TEXT],
      parent_file: NAME,
      previous_file: NAME,
      reason: [TEXT],
      agent_dir: [TEXT, "undefined"],
      settings: ["object", "undefined"],
      trusted: ["boolean", "undefined"],
      leaf: NAME,
      entries: ["array", "undefined"],
    },
  },
  prompt: { fields: SESSION },
  turn_start: { fields: { ...SESSION, turn: ["number"] } },
  turn_end: {
    fields: {
      ...SESSION,
      assistant: [TEXT, "undefined"],
      late: ["boolean", "undefined"],
    },
  },
  agent_end: { fields: SESSION },
  fork_choices: { fields: { ...SESSION, entry: [TEXT], position: [TEXT] } },
  tree_choices: { fields: { ...SESSION, entry: [TEXT] } },
  choose: {
    fields: {
      ...SESSION,
      menu: [TEXT],
      entry: [TEXT, "undefined"],
      option: [TEXT, "undefined"],
    },
  },
  tree_done: { fields: { ...SESSION, summary_entry: NAME } },
  compacted: { fields: { ...SESSION, entry: [TEXT] } },
  points: { fields: { ...SESSION, limit: ["number"] } },
  shutdown: { fields: { ...SESSION, reason: [TEXT] } },
  plan: { fields: { ...SESSION, entry: [TEXT], size: ["boolean"] } },
  plan_undo: { fields: { ...SESSION, menu: [TEXT], size: ["boolean"] } },
  plan_redo: { fields: { ...SESSION, menu: [TEXT], size: ["boolean"] } },
  finish: { fields: SESSION },
  roll_back: { fields: SESSION },
};
const REASONS = ["startup", "reload", "new", "resume", "fork", "restart"];
const ENTRY_FIELDS = new Set(
  "type id parentId timestamp role stopReason customType data targetId label fromId firstKeptEntryId".split(" "),
);

let session = false;
let menu; // the choices that were offered last
let running = false; // a prompt began and has not ended
let snapshots = 0;
let points = 0;
let lastId; // none yet
let known = new Map();

const write = (line) => log && appendFileSync(log, JSON.stringify(line) + "\n");
const violation = (why) => {
  write({ violation: why });
  return { ok: false, status: 2, error: why };
};
const kind = (value) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

function next(act) {
  const planned = plan[act];
  if (!Array.isArray(planned)) return planned;
  const file = `${log}.plan`;
  const done = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  done[act] = (done[act] ?? 0) + 1;
  writeFileSync(file, JSON.stringify(done));
  return planned[done[act] - 1];
}

function fault(request) {
  const known = REQUESTS[request.do];
  if (!known) return `do: there is no '${request.do}'`;
  for (const name of Object.keys(request)) {
    if (name !== "id" && name !== "do" && !(name in known.fields)) return `${request.do}: unknown field ${name}`;
  }
  for (const [name, kinds] of Object.entries(known.fields)) {
    if (!kinds.includes(kind(request[name]))) return `${request.do}: ${name} is ${kind(request[name])}`;
  }
  if (typeof request.id !== "string" || Number(request.id) !== (lastId ?? Number(request.id) - 1) + 1) return `id ${request.id} after ${lastId}`;
  if (!session && request.do !== "session") return `${request.do} before session`;
  if (request.do === "session" && !REASONS.includes(request.reason)) return `reason ${request.reason}`;
  if (request.do === "turn_end" && !running) return "turn_end without a turn";
  if (request.do === "choose" && request.menu !== "command") {
    if (menu?.name !== request.menu || menu.entry !== request.entry) return `choose: no menu ${request.menu} of ${request.entry}`;
    if (request.option !== undefined && !menu.options.some((option) => option.id === request.option)) return `choose: ${request.option}`;
  }
  return learn(request.entries ?? []);
}

function learn(entries) {
  for (const entry of entries) {
    for (const name of Object.keys(entry)) if (!ENTRY_FIELDS.has(name)) return `entry: unknown field ${name}`;
    if (typeof entry.id !== "string" || typeof entry.type !== "string") return "entry without id or type";
    if (entry.data !== undefined && !entry.customType.startsWith("rewind-")) return "entry: data of others";
    known.set(entry.id, entry);
  }
  return undefined;
}

function answer(request) {
  const wrong = fault(request);
  lastId = Number(request.id);
  if (wrong) return violation(wrong);
  if (request.do === "session") {
    session = true;
    known = new Map();
    learn(request.entries ?? []);
    running ||= request.reason === "restart"; // what a running prompt needs is kept over a restart
  }
  if (request.do === "prompt" || request.do === "turn_start") running = true;
  const all = { append: [], points, snapshots, notices: [] };
  const status = () => ({ points, snapshots, status: `◆ ${points} points / ${snapshots} snapshots` });
  switch (request.do) {
    case "session":
      return { ...all, ...status(), enabled: true, root: process.cwd(), silent: false, begun: null };
    case "prompt":
    case "turn_start":
      snapshots++;
      return { ...all, ...status(), snapshot: `s${snapshots}`, left_out: [] };
    case "turn_end": {
      snapshots++;
      points += 2;
      const data = { v: 2, snapshots: [`s${snapshots}`], bindings: [] };
      return { ...all, ...status(), append: [{ customType: "rewind-turn", data }], snapshot: `s${snapshots}`, left_out: [] };
    }
    case "agent_end":
      running = false;
      return { ...all, ...status() };
    case "fork_choices":
    case "tree_choices": {
      const name = request.do.split("_")[0];
      const options = MENUS[name].map(([id, label, preview]) => ({ id, label, preview, confirm: null, counts: null }));
      menu = { name, entry: request.entry, options };
      return { ...all, ...status(), ask: request.position !== "at", title: "Restore Options", default: options[0].id, options };
    }
    case "choose": {
      menu = undefined;
      const stay = request.option === undefined || request.option === "code-only" || request.option === "undo";
      const append = request.option === undefined ? [] : [{ customType: "rewind-op", data: { v: 2, snapshots: [] } }];
      return { ...all, ...status(), append, cancel: request.menu !== "command" && stay, outcome: null };
    }
    case "points":
      return { ...all, ...status(), undo: true, redo: false, elsewhere: [], count: 1, list: [{ entry: "u1", snapshot: "s1", at: "2026-01-05T12:00:00Z", role: "user" }] };
    case "plan":
    case "plan_undo":
    case "plan_redo":
      return { target: "s1", changes: 1, size: "Paths: 1 changed. Lines: 3 added, 2 removed.", paths: [{ path: "f", path_escaped: "f", action: "change", edited_since: true, failure: "" }] };
    case "finish":
    case "roll_back":
      return { ...all, ...status(), append: [{ customType: "rewind-op", data: { v: 2, snapshots: [] } }], exact: true, changes: 1, paths: [] };
    default:
      return { ...all, ...status() };
  }
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  let request;
  try {
    request = JSON.parse(line);
  } catch {
    violation(`no JSON: ${line}`);
    continue;
  }
  write(request);
  const planned = next(request.do);
  if (planned === "die") process.exit(9);
  if (planned === "babble") {
    process.stdout.write("Picked up JAVA_TOOL_OPTIONS\n");
    continue;
  }
  if (planned?.delayMs) await new Promise((resolve) => setTimeout(resolve, planned.delayMs));
  const answered = answer(request);
  process.stdout.write(JSON.stringify({ id: request.id, ok: true, ...answered, ...planned?.answer }) + "\n", () => {
    if (planned !== "die after") return;
    write({ do: "gone" });
    process.exit(9);
  });
}
write({ end: true });
