// SPDX-License-Identifier: Apache-2.0

// How long snapshots are kept, what never goes, and where they lie. Retention is on only while the session runs that is to sweep.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assistants, DONE, script, shell, slowly, step, users, write } from "./pi.mjs";
import { eventually } from "./stage.mjs";
import { git } from "./worktree.mjs";

const ONLY_CONVERSATION = ["Conversation only (keep current files)"];

const retention = (rules) => ({ rewind: { retention: rules } });
const FOR_EVER = { rewind: {} };

/** Prompts that write one file each; what was there before each of them. */
async function prompts(stage, pi, name, count, file = "f.txt") {
  const before = [];
  for (let i = 0; i < count; i++) {
    before.push(stage.look());
    await pi.prompt(script(`${name}${i}`, step(write(file, `${name}${i}\n`)), DONE));
  }
  return before;
}

/** That files can be brought back to what was there before these prompts, and no more to that before those. */
async function leadsBackTo(stage, session, before, wanted, gone = []) {
  const pi = stage.pi("--session", session);
  const ids = users(await pi.entries()).map((entry) => entry.id);
  for (const i of gone) {
    pi.answer(null);
    assert.equal(await pi.fork(ids[i]), true);
    assert.deepEqual(pi.dialogs.at(-1).options, ONLY_CONVERSATION, `prompt ${i}`);
  }
  for (const i of wanted) {
    pi.answer("Code only", true);
    await pi.fork(ids[i]);
    stage.same(before[i], `prompt ${i}`);
  }
  await stage.over(pi);
}

export async function r1_theOldestOfASessionGoAndTheLabelledAndThoseOfOthersStay(stage) {
  stage.install().put("f.txt", "v0\n").commit();
  const one = stage.pi();
  const beforeOne = await prompts(stage, one, "one", 3);
  const sessionOne = await one.file();
  await stage.over(one);

  stage.settings(retention({ maxSnapshots: 1, pinLabeledEntries: true }));
  const two = stage.pi();
  const beforeTwo = await prompts(stage, two, "two", 4);
  const sessionTwo = await two.file();
  await two.drive(`/label ${assistants(await two.entries())[1].id} good`);
  await stage.over(two);
  stage.settings(FOR_EVER);
  stage.sh("git reflog expire --expire=now --all; git gc -q --prune=now");

  // Its first is where session one ended. The end of its first prompt is labelled, the one before its last is the one that may stay.
  await leadsBackTo(stage, sessionTwo, beforeTwo, [0, 1, 3], [2]);
  await leadsBackTo(stage, sessionOne, beforeOne, [0, 1, 2]);
}

export async function r2_aSweepInALinkedWorktreeLeavesTheOtherOne(stage) {
  stage.install().put("f.txt", "v0\n").commit();
  stage.sh("git worktree add -q ../linked -b linked");
  const here = stage.pi();
  const before = await prompts(stage, here, "here", 3);
  const session = await here.file();
  await stage.over(here);
  stage.settings(retention({ maxSnapshots: 0, maxAgeDays: 0 }));
  const there = stage.piIn(join(stage.folder, "linked"));
  await prompts(stage, there, "there", 3);
  await stage.over(there);
  stage.settings(FOR_EVER);
  stage.sh("git gc -q --prune=now");

  await leadsBackTo(stage, session, before, [2, 0, 1]);
}

export async function r3_whatAPromptThatRunsNeedsStays(stage) {
  stage.install().settings(retention({ maxSnapshots: 0, scanMode: "repo-sessions" })).put("f.txt", "v0\n").commit();
  const slow = stage.pi();
  const start = stage.look();
  const seen = [];
  void slow.wait((message) => {
    if (message.type === "turn_end") seen.push(stage.look());
    return false;
  });
  const end = slow.settled();
  const go = join(stage.folder, "go");
  const waiting = shell(`echo 2 > two; until [ -e '${go}' ]; do sleep 0.1; done`);
  await slow.ask({ type: "prompt", message: script("P", step(write("f.txt", "v1\n")), slowly(300, waiting), slowly(300, write("f.txt", "v3\n")), { ...DONE, delayMs: 300 }) });
  await eventually(() => assert.ok(stage.look().two));
  const other = stage.pi();
  await prompts(stage, other, "other", 3, "g.txt");
  await other.stop();
  stage.sh("git gc -q --prune=now");
  stage.settings(FOR_EVER);
  writeFileSync(go, "");
  await end;
  await slow.idle();

  const entries = await slow.entries();
  const ids = assistants(entries).map((entry) => entry.id);
  assert.equal(ids.length, 4);
  for (const i of [0, 2, 1, 3]) {
    slow.answer("Restore files", true);
    await slow.drive(`/go ${ids[i]}`);
    stage.same(seen[i], `turn ${i}`);
  }
  slow.answer("Code only", true);
  await slow.fork(users(entries)[0].id);
  stage.same(start, "the prompt");
}

export async function aSettingThatIsNotUnderstoodIsToldAndLetsNothingGo(stage) {
  stage.install().settings(retention({ maxSnapshots: "few", scanMode: "repo-sessions" })).put("f.txt", "v0\n").commit();
  const pi = stage.pi();
  const before = await prompts(stage, pi, "P", 3);
  const session = await pi.file();
  assert.ok(pi.notices.some((notice) => /maxSnapshots/.test(notice)), pi.notices.join());
  await stage.over(pi);
  stage.settings(FOR_EVER);
  await leadsBackTo(stage, session, before, [0, 2, 1]);
}

/** Everything in a repository, by hash. */
const objects = (folder) => git(folder, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)").trim().split("\n");

export async function p1_aPushOfAllRefsHasNothingOfSnapshotsThatAreKeptOutside(stage) {
  stage.install().settings({ rewind: { store: "outside" } }).put("f.txt", "v0\n").commit().put(".env", "secret 1\n");
  const secrets = [stage.sh("git hash-object .env").trim()];
  const pi = stage.pi();
  const start = stage.moment();
  const found = stage.repository();
  await pi.prompt(script("P1", step(write(".env", "secret 2\n"), write("f.txt", "v1\n")), DONE));
  const after = stage.look();
  secrets.push(stage.sh("git hash-object .env").trim());
  stage.sh("git init -q --bare ../mirror.git; git push -q --mirror ../mirror.git; git clone -q --mirror . ../clone.git");
  for (const name of ["repo", "mirror.git", "clone.git"]) {
    const folder = join(stage.folder, name);
    assert.equal(git(folder, "for-each-ref", "refs/pi-rewind"), "", name);
    const all = objects(folder);
    for (const secret of secrets) assert.ok(!all.includes(secret), `${name} has a secret`);
  }
  assert.deepEqual(stage.repository(), found);
  pi.answer("Code only");
  await pi.fork(users(await pi.entries())[0].id);
  stage.same(start);
  pi.answer("Undo last file rewind");
  await pi.fork(users(await pi.entries())[0].id);
  stage.same(after);
}

export async function p1_aPlainPushTakesNoSnapshotAndTheDoctorTellsOfMirrors(stage) {
  stage.install().put("f.txt", "v0\n").commit().put(".env", "secret\n");
  const secret = stage.sh("git hash-object .env").trim();
  const pi = stage.pi();
  await pi.prompt(script("P1", step(write("f.txt", "v1\n")), DONE));
  stage.sh("git init -q --bare ../other.git; git remote add other ../other.git; git push -q --all other; git push -q --tags other; git clone -q --no-local . ../clone");
  for (const name of ["other.git", "clone"]) {
    assert.equal(git(join(stage.folder, name), "for-each-ref", "refs/pi-rewind"), "");
    assert.ok(!objects(join(stage.folder, name)).includes(secret), name);
  }
  assert.doesNotMatch(stage.varve("rewind", "doctor"), /mirror/);
  stage.sh("git config remote.other.mirror true");
  assert.match(stage.varve("rewind", "doctor"), /mirror/);
}

export async function whatIsKeptInTheRepositoryMovesOutsideAndLeadsBackAllTheSame(stage) {
  stage.install().put("f.txt", "v0\n").commit();
  const pi = stage.pi();
  const before = await prompts(stage, pi, "P", 2);
  const session = await pi.file();
  await stage.over(pi);
  stage.varve("rewind", "outside");
  assert.equal(git(stage.repo, "for-each-ref", "refs/pi-rewind"), "");
  stage.sh("git gc -q --prune=now");
  await leadsBackTo(stage, session, before, [0, 1]);
}
