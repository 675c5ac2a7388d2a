// SPDX-License-Identifier: Apache-2.0

// Sessions whose snapshots are kept in the store: in folders without git, and by choice in repositories.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { forkEach, walk, work } from "./day.mjs";
import { assistants, DONE, entriesOf, records, script, shell, slowly, step, users, write } from "./pi.mjs";
import { eventually } from "./stage.mjs";
import { Terminal } from "./terminal.mjs";
import { git } from "./worktree.mjs";

const NATIVE = { rewind: { mode: "native" } };
const LONG = "long ".repeat(200);

function plain(stage, settings = NATIVE) {
  return stage.install().withoutGit().settings(settings).put("f.txt", "v0\n");
}

const CHANGES = [
  [write("src/a.txt", "a2\n"), shell("mv 'old name.txt' 'new name.txt'; chmod 644 run.sh; rmdir empty")],
  [shell("rm -r src/deep; ln -s ../run.sh src/deep; ln -s /etc/hostname out; printf x > $'tab\\tand\\nline'; mkdir -p more/and/more")],
  [shell("rm src/deep; mkdir -p src/deep/er; echo again > src/deep/er/b.bin; mv Case.txt case.txt; chmod 400 secret.key; printf '\\r\\n' >> crlf.txt")],
  [shell("rm -f run.sh; mkdir run.sh empty; echo inside > run.sh/file; echo log > x.log; rm -r more"), write("unicode-ü-日本.txt", "ü\n")],
];

export async function withoutGitAllIsAsItIsWithGit(stage) {
  plain(stage)
    .put("src/a.txt", "a\n")
    .put("src/deep/er/b.bin", Buffer.from([0, 255, 10, 13, 0]))
    .put("run.sh", "#!/bin/sh\n", 0o755)
    .put("secret.key", "k\n", 0o600)
    .put("crlf.txt", "one\r\ntwo\r\n")
    .put("old name.txt", "renamed later\n")
    .put("Case.txt", "case\n")
    .sh("mkdir empty");
  const pi = stage.pi();
  const day = await work(stage, pi, CHANGES);
  assert.match(pi.footer, /^◆ 12 points \/ 5 snapshots$/);
  assert.match(records(await pi.entries())[0].data.snapshots[0], /^[0-9a-f]{64}$/);
  const same = (moment, when) => stage.same(moment, when);
  await walk(pi, day, [1, 3, 0, 2], same);
  await forkEach(pi, day, [2, 0, 3], same);
  await pi.ask({ type: "switch_session", sessionPath: day.session });
  pi.answer("Undo last file rewind");
  assert.equal(await pi.fork(users(entriesOf(day.session))[0].id), true);
  stage.same(day.before[0], "undone: what was there before the last fork");
  assert.equal(await pi.clone(), false);
  stage.same(day.before[0], "a clone asks nothing");
  assert.deepEqual(stage.varve("rewind", "doctor").match(/problem/g), null);
}

export async function withoutGitUndoAndRedoAndCompactionAndAKillAreTheSame(stage) {
  plain(stage);
  let pi = stage.pi();
  const before = [];
  for (let i = 0; i < 2; i++) {
    before.push(stage.look());
    await pi.prompt(script(`P${i} ${LONG}`, step(write("f.txt", `v${i + 1}\n`), shell(`echo ${i} > n${i}`)), { text: "reply ".repeat(200) }));
  }
  stage.put("f.txt", "by hand\n");
  const atCompaction = stage.look();
  await pi.compact();
  await pi.ask({ type: "prompt", message: script("killed", step(write("f.txt", "v3\n")), slowly(400, shell("echo half > half; sleep 20")), DONE) });
  await eventually(() => assert.ok(stage.look().half));
  const session = await pi.file();
  await pi.kill();

  pi = stage.pi("--session", session);
  const entries = await pi.entries();
  const ids = users(entries).map((entry) => entry.id);
  pi.answer("Code only", true); // what the killed turn wrote is in no snapshot
  await pi.fork(ids[2]);
  stage.same(atCompaction, "before the prompt that was killed");
  pi.answer("Code only");
  await pi.fork(ids[0]);
  stage.same(before[0]);
  for (const [word, moment] of [["undo", atCompaction], ["redo", before[0]], ["undo", atCompaction]]) {
    pi.answer(true);
    await pi.ask({ type: "prompt", message: `/rewind ${word}` });
    await eventually(() => stage.same(moment, word));
    await pi.idle();
  }
  pi.answer("Restore files");
  await pi.drive(`/go ${assistants(entries)[1].id}`);
  pi.answer("Restore files");
  await pi.drive(`/go ${entries.find((entry) => entry.type === "compaction").id}`);
  stage.same(atCompaction, "the compaction");
}

export async function inARepositoryTheStoreKeepsThemByChoice(stage) {
  stage.install().settings(NATIVE).put("f.txt", "v0\n").put(".gitignore", "*.log\n").put("sub/s.txt", "s0\n").commit();
  const pi = stage.piIn(join(stage.repo, "sub"));
  stage.put("x.log", "1\n");
  const start = stage.moment();
  const found = stage.repository();
  await pi.prompt(script("P1", step(write("s.txt", "s1\n"), shell("echo v1 > ../f.txt; echo 2 > ../x.log; echo n > ../new")), DONE));
  assert.deepEqual(stage.repository(), found);
  assert.equal(existsSync(join(stage.repo, ".git", "varve-rewind")), false);
  assert.equal(git(stage.repo, "for-each-ref", "refs/pi-rewind"), "");
  pi.answer("Code only");
  await pi.fork(users(await pi.entries())[0].id);
  stage.same(start, "also what git ignores");
}

export async function r1_withoutGitTheOldestGoAndTheLabelledStay(stage) {
  plain(stage);
  const pi = stage.pi();
  const before = [];
  for (let i = 0; i < 4; i++) {
    before.push(stage.look());
    await pi.prompt(script(`P${i}`, step(write("f.txt", `v${i + 1}\n`)), DONE));
  }
  const session = await pi.file();
  const ids = users(entriesOf(session)).map((entry) => entry.id);
  await pi.drive(`/label ${ids[1]} good`);
  await stage.over(pi);
  stage.settings({ rewind: { mode: "native", retention: { maxSnapshots: 1, pinLabeledEntries: true } } });
  await stage.over(stage.pi("--session", session));
  stage.settings(NATIVE);

  assert.match(stage.varve("rewind", "doctor"), /Snapshots that were let go: 2\./);
  const resumed = stage.pi("--session", session);
  resumed.answer(null);
  assert.equal(await resumed.fork(ids[0]), true);
  assert.deepEqual(resumed.dialogs.at(-1).options, ["Conversation only (keep current files)"]);
  for (const i of [1, 3]) {
    resumed.answer("Code only");
    await resumed.fork(ids[i]);
    stage.same(before[i], `P${i}`);
  }
}

export async function inTheTerminalWithoutGitTheMenuIsTheSame(stage) {
  plain(stage);
  const start = stage.look();
  const terminal = new Terminal(stage);
  try {
    await terminal.sees("fake-1");
    await terminal.type(script("P1", step(write("f.txt", "v1\n"), write("new/file", "n\n")), { text: "done P1" }));
    await terminal.sees("done P1");
    await terminal.sees("◆ 3 points / 2 snapshots");
    await terminal.type("/fork");
    await terminal.chooseLine("P1 SCRIPT");
    await terminal.keys("Enter");
    await terminal.sees("Restore all (files + conversation)");
    assert.match(terminal.screen(), /change: f.txt|Change: f.txt/);
    await terminal.keys("Down", "Enter");
    await eventually(() => stage.same(start, "fork of P1"));
  } finally {
    terminal.end();
  }
}
