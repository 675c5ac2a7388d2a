// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { stage } from "./stage.ts";

test("a prompt is told in its order, and records are written at each turn's end", async (t) => {
  const { pi, acts } = stage(t);
  await pi.emit("session_start", { reason: "startup" });
  await pi.prompt(3);

  assert.deepEqual(acts(), ["session", "prompt", "turn_start", "turn_end", "turn_end", "turn_end", "agent_end"]);
  assert.equal(pi.entries.filter((entry) => entry.customType === "rewind-turn").length, 3);
  assert.equal(pi.footers.at(-1), "◆ 6 points / 5 snapshots");
  assert.deepEqual(pi.said, []);
});

test("a record of a turn stands in the session before the next tool runs", async (t) => {
  const { pi } = stage(t, { plan: { turn_end: { delayMs: 50 } } });
  await pi.emit("session_start", { reason: "startup" });
  let tools = 0;
  await pi.prompt(3, () => {
    const records = pi.entries.filter((entry) => entry.customType === "rewind-turn");
    assert.equal(records.length, tools++);
  });
  assert.equal(tools, 2);
});

test("the model is not waited for: only the first tool waits for the snapshot before the prompt", async (t) => {
  const { pi, acts } = stage(t, { plan: { prompt: { delayMs: 200 } } });
  await pi.emit("session_start", { reason: "startup" });
  await pi.emit("before_agent_start", {});
  await pi.emit("turn_start", { turnIndex: 0 });
  assert.ok(!acts().includes("turn_start"), "Pi goes on while the snapshot is taken");
  await pi.emit("user_bash", {});
  assert.deepEqual(acts(), ["session", "prompt", "turn_start"], "a command of the user changes files, too");
  await pi.emit("tool_call", {});
});

test("a run that is aborted does not wait for its snapshot", async (t) => {
  const { pi } = stage(t, { plan: { prompt: { delayMs: 3000 } } });
  const abort = new AbortController();
  pi.ctx.signal = abort.signal;
  await pi.emit("session_start", { reason: "startup" });
  await pi.emit("before_agent_start", {});
  let passed = false;
  const gate = pi.emit("tool_call", {}).then(() => (passed = true));
  while (pi.footers.at(-1) !== "◆ taking a snapshot …") await new Promise((resolve) => setImmediate(resolve)); // it is said for what Pi waits
  assert.equal(passed, false);
  abort.abort();
  await gate;
  assert.notEqual(pi.footers.at(-1), "◆ taking a snapshot …");
});

test("entries are told once, cut down to what the engine needs", async (t) => {
  const { pi, asked } = stage(t);
  await pi.emit("session_start", { reason: "startup" });
  pi.add({ type: "custom", customType: "of-another", data: { large: "x" } });
  await pi.prompt(2);
  await pi.prompt(1);

  const told = asked().flatMap((line) => (line.entries ?? []) as { id: string; role?: string; data?: unknown }[]);
  assert.deepEqual(told.map((entry) => entry.id), [...new Set(told.map((entry) => entry.id))]);
  assert.deepEqual(told.filter((entry) => entry.role).map((entry) => entry.role), [
    ..."user assistant toolResult assistant".split(" "),
    ..."user assistant".split(" "),
  ]);
  assert.ok(!JSON.stringify(told).includes("large"));
});

test("of a session whose file exists the engine reads the file, and only what comes later is told", async (t) => {
  const { pi, folder, asked } = stage(t);
  pi.file = join(folder, "session.jsonl");
  writeFileSync(pi.file, "");
  pi.say("user");
  pi.say("assistant");
  await pi.emit("session_start", { reason: "resume", previousSessionFile: "before.jsonl" });
  await pi.prompt(1);

  const [first] = asked();
  assert.equal(first!.session_file, pi.file);
  assert.equal(first!.previous_file, "before.jsonl");
  assert.equal(first!.entries, undefined);
  const told = asked().slice(1).flatMap((line) => line.entries as { role?: string }[]);
  assert.deepEqual(told.map((entry) => entry.role), ["user", "assistant"]);
});

test("an assistant's entry is named by its id; on older Pi it is the last that was told", async (t) => {
  const { pi, asked } = stage(t);
  await pi.emit("session_start", {});
  await pi.prompt(1);
  await pi.emit("before_agent_start", {});
  pi.say("user");
  pi.say("assistant");
  await pi.emit("turn_end", {});
  await pi.emit("agent_end", {});

  const ends = asked().filter((line) => line.do === "turn_end");
  assert.equal(ends[0]!.assistant, pi.entries.find((entry) => entry.message?.role === "assistant")!.id);
  assert.equal(ends[1]!.assistant, undefined);
  assert.equal((ends[1]!.entries as { id: string }[]).at(-1)!.id, pi.entries.filter((entry) => entry.message?.role === "assistant").at(-1)!.id);
});

test("print mode: nothing is shown or asked, and a turn whose end was never told is told before Pi ends", async (t) => {
  const { pi, acts } = stage(t, { mode: "print", plan: { session: { answer: { notices: [{ level: "error", text: "x" }] } } } });
  await pi.emit("session_start", { reason: "startup" });
  await pi.emit("before_agent_start", {});
  pi.say("user");
  pi.say("assistant");
  await pi.emit("session_shutdown", { reason: "quit" });

  assert.deepEqual(acts().slice(0, 4), ["session", "prompt", "turn_end", "shutdown"]);
  assert.equal(pi.entries.at(-1)?.customType, "rewind-turn");
  assert.deepEqual([pi.said, pi.footers, pi.asked], [[], [], []]);
});

test("RPC before 1.6 tells the start of a session twice; the engine is told once", async (t) => {
  const { pi, acts } = stage(t, { mode: "rpc" });
  await pi.emit("session_start", { reason: "startup" });
  await pi.emit("session_start", { reason: "startup" });
  await pi.prompt(1);
  assert.deepEqual(acts(), ["session", "prompt", "turn_start", "turn_end", "agent_end"]);
});

test("outside git nothing is asked any more, and nothing said", async (t) => {
  const { pi, acts } = stage(t, { plan: { session: { answer: { enabled: false, status: null } } } });
  await pi.emit("session_start", { reason: "startup" });
  await pi.prompt(2);
  assert.equal(await pi.emit("session_before_fork", { entryId: "00000001" }), undefined);
  assert.deepEqual(acts().filter((act) => act !== "end"), ["session"]);
  assert.deepEqual(pi.said, []);
  assert.deepEqual(pi.asked, []);
});

test("compaction and a move in the tree are told with what Pi made of them", async (t) => {
  const { pi, asked } = stage(t);
  await pi.emit("session_start", { reason: "startup" });
  const compaction = pi.add({ type: "compaction", firstKeptEntryId: "00000001" });
  await pi.emit("session_compact", { compactionEntry: { id: compaction } });
  const summary = pi.add({ type: "branch_summary", fromId: compaction });
  await pi.emit("session_tree", { summaryEntry: { id: summary } });
  await pi.emit("session_tree", {});

  const [, compacted, first, second] = asked();
  assert.equal(compacted!.entry, compaction);
  assert.deepEqual([first!.summary_entry, second!.summary_entry], [summary, null]);
});
