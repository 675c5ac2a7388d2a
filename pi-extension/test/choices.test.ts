// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { test } from "node:test";
import { stage, type Stage } from "./stage.ts";

const CANCEL = { cancel: true };
const FORK = [
  "Conversation only (keep current files)",
  "Restore all (files + conversation)",
  "Code only (restore files, keep conversation)",
  "Undo last file rewind",
];
const TREE = ["Keep current files", "Restore files to that point", "Undo last file rewind"];

async function begun(stage: Stage): Promise<Stage> {
  await stage.pi.emit("session_start", { reason: "startup" });
  await stage.pi.prompt(1);
  return stage;
}

const fork = (stage: Stage, position?: "before" | "at") =>
  stage.pi.emit("session_before_fork", { entryId: "00000001", ...(position ? { position } : {}) });
const tree = (stage: Stage) => stage.pi.emit("session_before_tree", { preparation: { targetId: "00000001" } });
const chosen = (stage: Stage) => stage.asked().filter((line) => line.do === "choose").map((line) => line.option);

test("a fork offers the four choices in the words of the menu, with what they would do above them", async (t) => {
  const s = await begun(stage(t));
  s.pi.answers = [FORK[1]];

  assert.equal(await fork(s), undefined);
  assert.deepEqual(s.pi.asked[0]!.options, FORK);
  assert.deepEqual(s.pi.asked[0]!.title.split("\n"), [
    "Restore Options",
    "Restore all, Code only: 2 files change",
    "Undo last file rewind: 1 file changes",
  ]);
  assert.equal(s.pi.asked[0]!.how, undefined, "a person at a terminal may take their time");
  assert.deepEqual(chosen(s), ["restore-all"]);
  assert.equal(s.pi.entries.at(-1)?.customType, "rewind-op");
});

test("code only keeps the conversation: Pi is told to stay", async (t) => {
  const s = await begun(stage(t));
  s.pi.answers = [FORK[2]];
  assert.deepEqual(await fork(s), CANCEL);
  assert.deepEqual(chosen(s), ["code-only"]);
});

test("a tree move offers its three choices", async (t) => {
  const s = await begun(stage(t));
  s.pi.answers = [TREE[1]];
  assert.equal(await tree(s), undefined);
  assert.deepEqual(s.pi.asked[0]!.options, TREE);
  assert.deepEqual(chosen(s), ["restore"]);
});

test("a dismissed menu keeps Pi where it is, and no file is touched", async (t) => {
  const s = await begun(stage(t));
  assert.deepEqual(await fork(s), CANCEL);
  assert.deepEqual(await tree(s), CANCEL);
  assert.deepEqual(chosen(s), [undefined, undefined]);
});

test("a clone asks nothing", async (t) => {
  const s = await begun(stage(t));
  assert.equal(await fork(s, "at"), undefined);
  assert.equal(s.pi.asked.length, 0);
  assert.deepEqual(chosen(s), ["conversation-only"]);
});

test("in print mode a fork asks nothing and keeps the files", async (t) => {
  const s = await begun(stage(t, { mode: "print" }));
  assert.equal(await fork(s), undefined);
  assert.equal(s.pi.asked.length, 0);
  assert.deepEqual(chosen(s), ["conversation-only"]);
});

test("a dialog that nobody answers in RPC mode ends by itself, and Pi does what it does without Rewind", async (t) => {
  const s = await begun(stage(t, { mode: "rpc", settings: { dialogTimeoutMs: 30 } }));
  s.pi.answers = [() => new Promise((resolve) => setTimeout(() => resolve(undefined), 40))];

  assert.equal(await fork(s), undefined);
  assert.deepEqual(s.pi.asked[0]!.how, { timeout: 30 });
  assert.deepEqual(chosen(s), ["conversation-only"]);
});

test("a dialog that is dismissed in RPC mode cancels", async (t) => {
  const s = await begun(stage(t, { mode: "rpc" }));
  s.pi.answers = [undefined];
  assert.deepEqual(await fork(s), CANCEL);
});

test("what would overwrite edits is done only when that is confirmed", async (t) => {
  const option = { id: "restore-all", label: FORK[1], preview: null, confirm: "a.txt was edited by hand", counts: null };
  const answer = { options: [option], default: "restore-all" };
  const s = await begun(stage(t, { plan: { fork_choices: { answer } } }));

  s.pi.answers = [FORK[1], false];
  assert.deepEqual(await fork(s), CANCEL);
  s.pi.answers = [FORK[1], true];
  assert.equal(await fork(s), undefined);
  assert.deepEqual(chosen(s), [undefined, "restore-all"]);
  assert.deepEqual(s.pi.confirmed, Array(2).fill(`${FORK[1]}\na.txt was edited by hand`));
});

test("a restore that fails keeps the conversation where it is, and says why", async (t) => {
  const notices = [{ level: "error", text: "b.txt could not be written" }];
  const s = await begun(stage(t, { plan: { choose: { answer: { cancel: true, notices } } } }));
  s.pi.answers = [FORK[1]];
  assert.deepEqual(await fork(s), CANCEL);
  assert.deepEqual(s.pi.said, ["error: b.txt could not be written"]);
});

test("an engine that dies in a restore is not asked to restore again; Pi stays, the broken-off restore is offered", async (t) => {
  const begun2 = { kind: "restore", from: "a", to: "b", path_count: 3 };
  const s = await begun(stage(t, { plan: { choose: ["die"], session: [null, { answer: { begun: begun2 } }] } }));
  s.pi.answers = [FORK[1]];
  assert.deepEqual(await fork(s), CANCEL);
  assert.equal(s.acts().filter((act) => act === "choose").length, 1);

  s.pi.answers = ["Take it back"];
  await s.pi.prompt(1);
  await s.pi.prompt(1);
  assert.equal(s.pi.asked.at(-1)!.title, "A restore of 3 files broke off before its end.");
  assert.ok(s.acts().includes("roll_back"));
  assert.equal(s.pi.entries.filter((entry) => entry.customType === "rewind-op").length, 1);
  assert.equal(s.pi.said.at(-1), "info: Rewind: done; every file is as it was to be.");
});

test("if the menu cannot be had Pi forks as it would without Rewind, and it is said why", async (t) => {
  const s = await begun(stage(t, { plan: { fork_choices: { answer: { ok: false, status: 4, error: "locked by 17" } } } }));
  assert.equal(await fork(s), undefined);
  assert.deepEqual(s.pi.said, ["warning: Rewind: locked by 17"]);
});
