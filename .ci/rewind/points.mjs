// SPDX-License-Identifier: Apache-2.0

// That each point of a session leads to the files of its moment. The names begin with those of the defects that the reference
// implementation was seen to have in real Pi.

import assert from "node:assert/strict";
import { assistants, DONE, records, script, shell, slowly, step, users, write } from "./pi.mjs";
import { eventually } from "./stage.mjs";

const RESTORE_ALL = "Restore all";
const CODE_ONLY = "Code only";
const EVERY_FORK = [
  "Conversation only (keep current files)",
  "Restore all (files + conversation)",
  "Code only (restore files, keep conversation)",
  "Undo last file rewind",
];

/** Three prompts that write v1, v2, v3, with an edit by hand before the third; what was there before each, and at the end. */
async function threePrompts(stage) {
  stage.install().put("f.txt", "v0\n").put("same.txt", "same\n").commit();
  const pi = stage.pi();
  const before = [];
  for (let i = 1; i <= 3; i++) {
    if (i === 3) stage.put("f.txt", "by hand\n");
    before.push(stage.moment());
    await pi.prompt(script(`P${i}`, step(write("f.txt", `v${i}\n`), shell(`echo ${i} > n${i}; rm -f n${i - 1}`)), DONE));
  }
  return { pi, before, after: stage.moment(), session: await pi.file() };
}

export async function d1_userNodesLeadToWhatWasThereBeforeTheirPrompt(stage) {
  const { pi, before, session } = await threePrompts(stage);
  const git = stage.repository();
  for (const i of [2, 1, 0]) {
    pi.answer(RESTORE_ALL);
    assert.equal(await pi.fork(users(await pi.entries())[i].id), false);
    const offered = pi.dialogs.at(-1).options;
    assert.deepEqual(offered.slice(0, 3), EVERY_FORK.slice(0, 3));
    stage.same(before[i], `fork of P${i + 1}`);
    assert.equal((await pi.ask({ type: "get_messages" })).messages.filter((message) => message.role === "user").length, i);
    await pi.ask({ type: "switch_session", sessionPath: session });
  }
  assert.deepEqual(stage.repository(), git);
}

export async function d1_assistantNodesLeadToWhatTheirTurnLeft(stage) {
  stage.install().put("f.txt", "v0\n").commit();
  const pi = stage.pi();
  const after = [];
  const turns = pi.wait((message) => {
    if (message.type === "turn_end") after.push(stage.look());
    return after.length === 4;
  });
  await pi.prompt(script("P", step(write("a.txt", "a\n")), slowly(300, shell("mv a.txt b.txt; chmod 755 f.txt")), slowly(300, write("f.txt", "v1\n")), { ...DONE, delayMs: 300 }));
  await turns;
  const ids = assistants(await pi.entries()).map((entry) => entry.id);
  assert.equal(ids.length, 4);
  for (const i of [0, 3, 1, 2]) {
    pi.answer("Restore files");
    await pi.drive(`/go ${ids[i]}`);
    stage.same(after[i], `turn ${i}`);
  }
}

export async function d2_codeOnlyKeepsTheConversation(stage) {
  const { pi, before, session } = await threePrompts(stage);
  const entries = await pi.entries();
  pi.answer(CODE_ONLY);
  assert.equal(await pi.fork(users(entries)[1].id), true, "Pi stays where it is");
  stage.same(before[1]);
  assert.equal(await pi.file(), session);
  const now = await pi.entries();
  assert.deepEqual(now.slice(0, entries.length), entries);
  assert.deepEqual(now.slice(entries.length).map((entry) => entry.customType), ["rewind-op"]);
  await pi.prompt(script("P4", step(shell("cat f.txt > copy.txt")), DONE));
  assert.equal(users(await pi.entries()).length, 4);
}

export async function d3_aKillInMidRunLosesAtMostTheRunningTurn(stage) {
  stage.install().put("f.txt", "v0\n").commit();
  let pi = stage.pi();
  const start = stage.look();
  const after = [];
  const watched = pi.wait((message) => {
    if (message.type === "turn_end") after.push(stage.look());
    return after.length === 2;
  });
  await pi.ask({ type: "prompt", message: script("P", step(write("f.txt", "v1\n")), slowly(400, shell("echo 2 > g.txt")), slowly(400, shell("echo 3 > h.txt; sleep 20")), DONE) });
  await watched;
  await eventually(() => assert.ok(stage.look()["h.txt"]));
  const session = await pi.file();
  await pi.kill();

  pi = stage.pi("--session", session);
  const entries = await pi.entries();
  assert.equal(records(entries).length, 2, "a record at each turn's end");
  const ids = assistants(entries).map((entry) => entry.id);
  for (const i of [0, 1]) {
    pi.answer("Restore files", true); // what the killed turn wrote is in no snapshot
    await pi.drive(`/go ${ids[i]}`);
    stage.same(after[i], `turn ${i}`);
  }
  pi.answer(RESTORE_ALL);
  await pi.fork(users(entries)[0].id);
  stage.same(start, "the prompt");
}

export async function d4_aCloneAsksNothing(stage) {
  const { pi, after, session } = await threePrompts(stage);
  assert.equal(await pi.clone(), false);
  assert.deepEqual(pi.dialogs, []);
  stage.same(after);
  assert.notEqual(await pi.file(), session);
}

export async function d5_steeredAndFollowingPromptsAreBoundToo(stage) {
  stage.install().put("f.txt", "v0\n").commit();
  const pi = stage.pi();
  const seen = [];
  void pi.wait((message) => {
    if (message.type === "turn_end") seen.push(stage.look());
    return false;
  });
  const end = pi.settled();
  const start = stage.look();
  await pi.ask({ type: "prompt", message: script("P", slowly(500, write("f.txt", "v1\n"), shell("sleep 0.3")), { ...DONE, delayMs: 300 }) });
  await pi.ask({ type: "steer", message: script("steered", step(write("f.txt", "v2\n")), DONE) });
  await pi.ask({ type: "follow_up", message: script("following", step(write("f.txt", "v3\n")), DONE) });
  await end;
  await pi.idle();
  const entries = await pi.entries();
  const [first, steered, following] = users(entries).map((entry) => entry.id);
  assert.ok(following, "three prompts");
  const parents = new Map(entries.map((entry) => [entry.id, entry]));
  const turnBefore = (id) => {
    let at = parents.get(id);
    while (at && at.message?.role !== "assistant") at = parents.get(at.parentId);
    return assistants(entries).findIndex((entry) => entry.id === at?.id);
  };
  const last = stage.look();
  for (const [id, expected] of [[first, start], [steered, seen[turnBefore(steered)]], [following, seen[turnBefore(following)]]]) {
    pi.answer(CODE_ONLY);
    await pi.fork(id);
    stage.same(expected, JSON.stringify(parents.get(id).message.content).slice(0, 60));
  }
  pi.answer("Restore files");
  await pi.drive(`/go ${assistants(entries).at(-1).id}`);
  stage.same(last);
}

export async function d6_noToolRunsBeforeTheSnapshotOfItsPromptIsTaken(stage) {
  stage.install();
  for (let i = 0; i < 300; i++) stage.put(`many/${i}`, `${i}\n`);
  stage.put("f.txt", "v0\n").commit();
  const pi = stage.pi();
  const start = stage.look();
  // The first capture of a repository is the slowest, and this model answers at once.
  await pi.prompt(script("P", step(shell("echo v1 > f.txt; for i in $(seq 300); do echo new > many/$i; done")), step(shell("echo v2 > f.txt")), DONE));
  pi.answer(RESTORE_ALL);
  await pi.fork(users(await pi.entries())[0].id);
  stage.same(start);
}

export async function c1_afterARewindTheCurrentStateStillAdvances(stage) {
  const { pi } = await threePrompts(stage);
  pi.answer(CODE_ONLY);
  await pi.fork(users(await pi.entries())[0].id);
  await pi.prompt(script(`P4 ${"long ".repeat(200)}`, step(write("f.txt", "v4\n")), { text: "reply ".repeat(200) }));
  await pi.prompt(script(`P5 ${"long ".repeat(200)}`, step(write("g.txt", "v5\n")), { text: "reply ".repeat(200) }));
  const atCompaction = stage.look();
  await pi.compact();
  await pi.prompt(script("P6", step(write("f.txt", "v6\n")), DONE));
  const compaction = (await pi.entries()).find((entry) => entry.type === "compaction");
  pi.answer("Restore files");
  await pi.drive(`/go ${compaction.id}`);
  stage.same(atCompaction);
}

export async function c2_aCompactionIsBoundToTheFilesOfItsMoment(stage) {
  stage.install().put("f.txt", "v0\n").commit();
  const pi = stage.pi();
  for (let i = 1; i <= 2; i++) {
    await pi.prompt(script(`P${i} ${"long ".repeat(200)}`, step(write("f.txt", `v${i}\n`)), { text: "reply ".repeat(200) }));
  }
  stage.put("f.txt", "by hand\n");
  const atCompaction = stage.look();
  await pi.compact();
  await pi.prompt(script("P3", step(write("f.txt", "v3\n")), DONE));
  const compaction = (await pi.entries()).find((entry) => entry.type === "compaction");
  pi.answer("Restore files");
  await pi.drive(`/go ${compaction.id}`);
  stage.same(atCompaction);
}

export async function c3_equalFilesAreOneSnapshotAlsoAfterARewind(stage) {
  const { pi } = await threePrompts(stage);
  pi.answer(CODE_ONLY);
  await pi.fork(users(await pi.entries())[0].id);
  const before = records(await pi.entries()).length;
  for (let i = 0; i < 3; i++) await pi.prompt("nothing changes");
  const named = new Set(records(await pi.entries()).slice(before).flatMap((entry) => entry.data.snapshots));
  assert.equal(named.size, 1, [...named].join(" "));
}
