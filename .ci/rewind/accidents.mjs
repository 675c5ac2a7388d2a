// SPDX-License-Identifier: Apache-2.0

// Processes that are killed, and processes that share a repository.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assistants, DONE, records, script, shell, slowly, step, users, write } from "./pi.mjs";
import { eventually } from "./stage.mjs";
import { git } from "./worktree.mjs";

export async function anEngineThatIsKilledInMidTurnCostsNoPoint(stage) {
  stage.install().put("f.txt", "v0\n").commit();
  const pi = stage.pi();
  await pi.prompt("warm");
  const start = stage.look();
  const after = [];
  const watched = pi.wait((message) => {
    if (message.type !== "turn_end") return false;
    after.push(stage.look());
    return after.length === 4;
  });
  const end = pi.settled();
  await pi.ask({ type: "prompt", message: script("P", slowly(300, write("f.txt", "v1\n"), shell("echo 1 > one; sleep 1")), slowly(400, shell("echo 2 > two")), slowly(400, shell("echo 3 > three")), { ...DONE, delayMs: 400 }) });
  await eventually(() => assert.ok(stage.look().one));
  const [engine, ...others] = stage.engines();
  assert.ok(engine && others.length === 0, "one engine a session");
  process.kill(engine, "SIGKILL");
  await watched;
  await end;
  await pi.idle();
  assert.equal(pi.notices.filter((notice) => /engine stopped/.test(notice)).length, 1, pi.notices.join());
  const entries = await pi.entries();
  const ids = assistants(entries).slice(1).map((entry) => entry.id);
  for (const i of [0, 2, 1, 3]) {
    pi.answer("Restore files");
    await pi.drive(`/go ${ids[i]}`);
    stage.same(after[i], `turn ${i}`);
  }
  pi.answer("Code only");
  await pi.fork(users(entries)[1].id);
  stage.same(start, "the prompt of the turn in which it was killed");
}

/** A restore of thousands of files whose engine is killed on its way; what was there before and after the prompt. */
async function killedInMidRestore(stage) {
  stage.install().put("f.txt", "v0\n");
  for (let i = 0; i < 2000; i++) stage.put(`many/${i}`, `${i}\n`.repeat(20));
  stage.commit();
  const pi = stage.pi();
  const start = stage.look();
  await pi.prompt(script("P", step(shell("for f in many/*; do echo new > $f; done; rm many/1?0; echo x > extra")), DONE));
  const changed = stage.look();
  const id = users(await pi.entries())[0].id;

  pi.answer("Code only");
  const fork = pi.fork(id);
  await eventually(() => assert.ok(pi.dialogs.length > 0));
  const [engine] = stage.engines();
  const one = join(stage.repo, "many", "1000"); // among the first
  await eventually(() => assert.notEqual(readFileSync(one, "utf8"), "new\n"));
  process.kill(engine, "SIGKILL");
  assert.equal(await fork, true, "Pi stays where it is");
  const half = stage.look();
  assert.notDeepEqual(half, changed);
  assert.notDeepEqual(half, start);
  return { pi, start, changed, id };
}

/** The next engine asks what is to become of it. */
async function settled(pi, answer) {
  const before = pi.dialogs.length;
  pi.answer(answer);
  const end = pi.prompt("go on");
  await eventually(() => assert.ok(pi.dialogs.length > before));
  await end;
  assert.match(pi.dialogs.at(-1).title, /broke off/);
}

export async function p2_anEngineThatIsKilledInMidRestoreLeavesAChoice(stage) {
  const { pi, start, changed, id } = await killedInMidRestore(stage);
  await settled(pi, "Take it back");
  await eventually(() => stage.same(changed, "taken back"));
  pi.answer("Code only", true);
  await pi.fork(id);
  stage.same(start, "and done after all");
}

export async function p2_aRestoreThatWasFinishedAfterAKillIsUndoneLikeAnyOther(stage) {
  const { pi, start, changed, id } = await killedInMidRestore(stage);
  await settled(pi, "Finish it");
  await eventually(() => stage.same(start, "finished"));
  pi.answer("Undo last file rewind", true);
  assert.equal(await pi.fork(id), true);
  stage.same(changed, "and undone");
}

export async function aKilledPiLeavesNoEngineBehind(stage) {
  stage.install().put("f.txt", "v0\n").commit();
  const pi = stage.pi();
  await pi.prompt("P");
  assert.equal(stage.engines().length, 1);
  await pi.kill();
  await eventually(() => assert.deepEqual(stage.engines(), []));
}

export async function r4_processesThatShareARepositoryLoseNoSnapshot(stage) {
  stage.install().put("f.txt", "v0\n").commit();
  const others = [1, 2, 3].map(() => stage.pi());
  await Promise.all(
    others.map((pi, n) => pi.prompt(script(`P${n}`, ...Array.from({ length: 5 }, (_, i) => step(write(`own-${n}.txt`, `${i}\n`))), DONE))),
  );
  const named = new Set();
  for (const pi of others) {
    const entries = await pi.entries();
    assert.equal(records(entries).length, 6, "a record a turn");
    const bound = new Set(records(entries).flatMap((entry) => entry.data.bindings.map(([id]) => id)));
    for (const entry of [...assistants(entries), ...users(entries)]) assert.ok(bound.has(entry.id), `no point for ${entry.id}`);
    for (const entry of records(entries)) entry.data.snapshots.forEach((commit) => named.add(commit));
  }
  const kept = new Set(git(stage.repo, "rev-list", "refs/pi-rewind/store").trim().split("\n"));
  for (const commit of named) assert.ok(kept.has(commit), `${commit} is lost`);
  stage.sh("git gc -q --prune=now");
  // Each snapshot has what its own process wrote in that turn.
  for (const [n, pi] of others.entries()) {
    const last = records(await pi.entries()).at(-1).data;
    assert.equal(git(stage.repo, "show", `${last.snapshots.at(-1)}:own-${n}.txt`), "4\n");
  }
}

export async function twoSessionsInOneRepositoryRewindTheirOwnWay(stage) {
  stage.install().put("f.txt", "v0\n").commit();
  const [one, two] = [stage.pi(), stage.pi()];
  const start = stage.look();
  await one.prompt(script("P1", step(write("f.txt", "of one\n")), DONE));
  const afterOne = stage.look();
  await two.prompt(script("P2", step(write("g.txt", "of two\n")), DONE));
  const afterTwo = stage.look();
  two.answer("Code only");
  await two.fork(users(await two.entries())[0].id);
  stage.same(afterOne, "what was there before the prompt of two");
  // What two took away was there when one last looked: that is asked about, and then done.
  one.answer("Code only", true);
  await one.fork(users(await one.entries())[0].id);
  stage.same(start);
  one.answer("Undo last file rewind", true);
  await one.fork(users(await one.entries())[0].id);
  stage.same(afterOne);
  assert.ok(afterTwo["g.txt"]);
}

export async function p2_eachKillInMidRestoreIsReportedWithTheWordsThatSettleIt(stage) {
  const { pi, changed } = await killedInMidRestore(stage);
  const reports = () => pi.notices.filter((notice) => /while it restored files\..*`\/rewind finish` ends the restore/.test(notice)).length;
  await eventually(() => assert.equal(reports(), 1, pi.notices.join("\n")));
  // Two files are watched, the first and the last that go back: a look at all takes as long as the roll-back.
  const content = (name) => readFileSync(join(stage.repo, name), "utf8");
  const restored = Object.keys(changed).filter((name) => /^many\/\d+$/.test(name) && content(name) !== "new\n");
  const watched = [restored[0], restored.at(-1)];
  const settling = pi.ask({ type: "prompt", message: "/rewind roll-back" });
  await eventually(() => assert.ok(watched.some((name) => content(name) === "new\n")));
  process.kill(stage.engines()[0], "SIGKILL");
  await settling;
  await eventually(() => assert.equal(reports(), 2, pi.notices.join("\n")));
  await pi.command("/rewind roll-back", "Rewind: done");
  stage.same(changed, "taken back");
}

export async function whileAToolRunsNothingIsRestored(stage) {
  stage.install().put("f.txt", "v0\n").commit();
  const pi = stage.pi();
  await pi.prompt(script("P1", step(write("f.txt", "v1\n")), DONE));
  const id = users(await pi.entries())[0].id;
  const end = pi.settled();
  await pi.ask({ type: "prompt", message: script("P2", step(shell("echo begun > begun; while [ ! -e go ]; do sleep 0.1; done; echo v2 > f.txt")), DONE) });
  await eventually(() => assert.ok(stage.look().begun));
  await pi.command("/rewind", "Rewind: the agent is at work");
  await pi.command("/rewind undo", "Rewind: the agent is at work");
  assert.deepEqual(pi.dialogs, []);
  stage.put("go", "");
  await end;
  await pi.idle();
  assert.equal(stage.look()["f.txt"], stage.put("g.txt", "v2\n").look()["g.txt"], "the tool's own end");
  pi.answer("Code only", true);
  await pi.fork(id);
  assert.equal(readFileSync(join(stage.repo, "f.txt"), "utf8"), "v0\n");
}
