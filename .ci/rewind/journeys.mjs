// SPDX-License-Identifier: Apache-2.0

// Days with Pi: edits by tools and by the shell, forks, walks in the tree, compaction, a clone, a resume, undo and redo; at each step
// the files are compared with what was there at that moment.

import assert from "node:assert/strict";
import { forkEach, walk, work } from "./day.mjs";
import { assistants, DONE, entriesOf, records, script, shell, step, users, write } from "./pi.mjs";
import { eventually } from "./stage.mjs";
import { Terminal } from "./terminal.mjs";

const LONG = "long ".repeat(200);

/** Files of all kinds, and what agents do to them. */
function allKinds(stage) {
  return stage
    .install()
    .put("src/a.txt", "a\n")
    .put("src/deep/er/b.bin", Buffer.from([0, 255, 10, 13, 0]))
    .put("run.sh", "#!/bin/sh\n", 0o755)
    .put("secret.key", "k\n", 0o600)
    .put("crlf.txt", "one\r\ntwo\r\n")
    .put(".gitattributes", "* text=auto eol=crlf\n*.id ident\n")
    .put("v.id", "$Id$\n")
    .put(".gitignore", "ignored/\n*.log\n")
    .put("ignored/cache", "cache\n")
    .put("old name.txt", "renamed later\n")
    .put("Case.txt", "case\n");
}

const CHANGES = [
  [write("src/a.txt", "a2\n"), shell("mv 'old name.txt' 'new name.txt'; chmod 644 run.sh; chmod 755 src/a.txt")],
  [shell("rm -r src/deep; ln -s ../run.sh src/deep; ln -s /etc/hostname out; ln -s nowhere dangling; printf 'x' > $'tab\\tand\\nline'")],
  [shell("rm src/deep; mkdir -p src/deep/er; echo again > src/deep/er/b.bin; mv Case.txt case.txt; printf '\\r\\n' >> crlf.txt; chmod 400 secret.key")],
  [shell("rm -f run.sh; mkdir run.sh; echo inside > run.sh/file; echo more >> ignored/cache; echo log > x.log"), write("unicode-ü-日本.txt", "ü\n")],
];

export async function aDayOfForksAndWalks(stage) {
  allKinds(stage).sh("git add -A; git commit -qm first");
  const pi = stage.pi();
  const day = await work(stage, pi, CHANGES);
  const ignored = stage.look()["ignored/cache"];
  const exactly = (moment, when) => {
    const now = stage.look();
    // What is ignored is never touched, so it is as it is now.
    const kept = Object.fromEntries(Object.entries(now).filter(([name]) => name === "x.log" || name.startsWith("ignored/")));
    const wanted = Object.fromEntries(Object.entries(moment).filter(([name]) => name !== "x.log" && !name.startsWith("ignored/")));
    assert.deepEqual(now, { ...wanted, ...kept }, when);
    assert.equal(now["ignored/cache"], ignored, "the ignored file");
  };

  await walk(pi, day, [1, 3, 0, 2, 3, 1], exactly);
  pi.answer("Keep current");
  await pi.drive(`/go ${day.ends[3]} summarize`);
  exactly(day.after[1], "walk without files");
  await forkEach(pi, day, [2, 0, 3], exactly);
}

export async function p2_forksOfForksAndBackAgain(stage) {
  stage.install().put("f.txt", "v0\n").commit();
  const pi = stage.pi();
  const moments = [];
  for (let i = 0; i < 2; i++) {
    moments.push(stage.look());
    await pi.prompt(script(`P${i}`, step(write("f.txt", `v${i + 1}\n`)), DONE));
  }
  const first = await pi.file();
  const end = stage.look();
  pi.answer("Restore all");
  await pi.fork(users(await pi.entries())[1].id);
  stage.same(moments[1]);
  await pi.prompt(script("child", step(write("f.txt", "child\n"), write("c.txt", "c\n")), DONE));
  const child = stage.look();
  // In the fork of the fork an entry of the grandparent is a point still.
  const inherited = users(await pi.entries())[0].id;
  await pi.clone();
  await pi.prompt("clone");
  pi.answer("Restore all");
  await pi.fork(inherited);
  stage.same(moments[0], "an entry of the grandparent");
  pi.answer(true);
  await pi.command("/rewind undo", "Files restored");
  stage.same(child, "undone in the fork");
  // What is undone next is what was rewound before that: the first session's own fork.
  await pi.ask({ type: "switch_session", sessionPath: first });
  pi.answer("Undo last file rewind");
  assert.equal(await pi.fork(inherited), true);
  stage.same(end, "undone across sessions");
}

export async function aSummaryOfALeftBranchIsAPoint(stage) {
  stage.install().put("f.txt", "v0\n").commit();
  const pi = stage.pi();
  for (let i = 1; i <= 2; i++) await pi.prompt(script(`P${i} ${LONG}`, step(write("f.txt", `v${i}\n`)), DONE));
  const [first] = assistants(await pi.entries()).filter((entry) => entry.message.stopReason === "stop");
  pi.answer("Restore files");
  await pi.drive(`/go ${first.id} summarize`);
  const atSummary = stage.look();
  const summary = (await pi.entries()).find((entry) => entry.type === "branch_summary");
  await pi.prompt(script("P3", step(write("f.txt", "v3\n"), write("g.txt", "g\n")), DONE));
  pi.answer("Restore files");
  await pi.drive(`/go ${summary.id}`);
  stage.same(atSummary);
}

export async function p2_undoAndRedoOfAnyDepthAlsoAfterAResume(stage) {
  stage.install().put("f.txt", "v0\n").commit();
  let pi = stage.pi();
  const before = [];
  for (let i = 0; i < 3; i++) {
    before.push(stage.look());
    await pi.prompt(script(`P${i}`, step(write("f.txt", `v${i + 1}\n`), shell(`echo ${i} > n${i}`)), DONE));
  }
  const end = stage.look();
  const session = await pi.file();
  const ids = users(await pi.entries()).map((entry) => entry.id);
  for (const i of [2, 0]) {
    pi.answer("Code only");
    await pi.fork(ids[i]);
    stage.same(before[i]);
  }
  await pi.stop();
  pi = stage.pi("--session", session);
  const at = async (word, moment, when) => {
    pi.answer(true);
    await pi.ask({ type: "prompt", message: `/rewind ${word}` });
    await eventually(() => stage.same(moment, when));
    await pi.idle();
  };
  await at("undo", before[2], "first undo");
  await at("undo", end, "second undo");
  await at("redo", before[2], "first redo");
  await at("redo", before[0], "second redo");
  await at("undo", before[2], "undo again");
  assert.equal(users(await pi.entries()).length, 3);
}

export async function aResumedSessionKnowsItsPoints(stage) {
  stage.install().put("f.txt", "v0\n").commit();
  let pi = stage.pi();
  const start = stage.look();
  await pi.prompt(script("P1", step(write("f.txt", "v1\n")), DONE));
  const first = stage.look();
  await pi.stop();
  stage.put("f.txt", "by hand, while Pi is away\n");
  const away = stage.look();
  pi = stage.pi("--continue");
  await pi.prompt(script("P2", step(write("f.txt", "v2\n")), DONE));
  const ids = users(await pi.entries()).map((entry) => entry.id);
  assert.equal(ids.length, 2);
  pi.answer("Code only");
  await pi.fork(ids[1]);
  stage.same(away, "what was edited while Pi was away is the state before the next prompt");
  pi.answer("Code only");
  await pi.fork(ids[0]);
  stage.same(start);
  pi.answer("Restore files");
  await pi.drive(`/go ${assistants(await pi.entries())[1].id}`);
  stage.same(first);
  assert.match(pi.footer, /^◆ \d+ points? \/ \d+ snapshots?$/);
}

export async function aFirstPromptCanBeForked(stage) {
  stage.install().put("f.txt", "v0\n").commit();
  const pi = stage.pi();
  const start = stage.look();
  await pi.prompt(script("P1", step(write("f.txt", "v1\n"), write("new/file", "x\n")), DONE));
  const parent = await pi.file();
  pi.answer("Restore all");
  assert.equal(await pi.fork(users(await pi.entries())[0].id), false);
  stage.same(start);
  assert.equal(records(entriesOf(parent)).at(-1).customType, "rewind-fork-pending");
  await pi.prompt(script("P1 again", step(write("f.txt", "other\n")), DONE));
  const other = stage.look();
  assert.ok(records(await pi.entries()).some((entry) => entry.customType === "rewind-op"), "the child inherits the state");
  pi.answer("Code only");
  await pi.fork(users(await pi.entries())[0].id);
  stage.same(start);
  pi.answer("Undo last file rewind");
  await pi.fork(users(await pi.entries())[0].id);
  stage.same(other);
}

export async function p3_filesEditedByHandAreNotOverwrittenUnasked(stage) {
  stage.install().put("f.txt", "v0\n").commit();
  const pi = stage.pi();
  const start = stage.look();
  await pi.prompt(script("P1", step(write("f.txt", "v1\n")), DONE));
  stage.put("f.txt", "precious\n");
  const precious = stage.look();
  const id = users(await pi.entries())[0].id;
  pi.answer("Code only", false);
  assert.equal(await pi.fork(id), true);
  stage.same(precious, "not confirmed");
  pi.answer("Code only", true);
  await pi.fork(id);
  stage.same(start, "confirmed");
  pi.answer("Undo last file rewind");
  await pi.fork(id);
  stage.same(precious, "and undone");
}

export async function p3_theMenuSaysWhatChangesWhatComesBackAndWhatIsDeleted(stage) {
  stage.install().put("f.txt", "v0\n").put("gone.txt", "g\n").commit();
  const pi = stage.pi();
  await pi.prompt(script("P1", step(write("f.txt", "v1\n"), shell("rm gone.txt; mkdir new; touch new/a new/b; for i in $(seq 100 219); do touch n$i; done")), DONE));
  const after = stage.look();
  const id = users(await pi.entries())[0].id;
  pi.answer("Restore all", false);
  assert.equal(await pi.fork(id), true);
  const [menu, question] = pi.dialogs;
  assert.equal(
    menu.title,
    "Restore Options\nRestore all, Code only: Come back: gone.txt; change: f.txt; are deleted: n100, n101, n102, n103, n104 and 117 more.",
  );
  assert.match(question.message, /^Paths: 1 brought back, 1 changed, 122 deleted\. /);
  stage.same(after, "not confirmed");
}

export async function inTheTerminalTheMenusAreKeysAway(stage) {
  stage.install().put("f.txt", "v0\n").commit();
  const moments = [];
  const terminal = new Terminal(stage);
  try {
    await terminal.sees("fake-1");
    for (let i = 1; i <= 3; i++) {
      moments.push(stage.look());
      await terminal.type(script(`P${i}`, step(write("f.txt", `v${i}\n`)), { text: `done P${i}` }));
      await terminal.sees(`done P${i}`);
      await terminal.sees(`◆ ${i * 3} points`);
    }
    moments.push(stage.look());

    await terminal.type("/fork");
    await terminal.chooseLine("P2 SCRIPT");
    await terminal.keys("Enter");
    await terminal.sees("Restore all (files + conversation)");
    await terminal.keys("Down", "Enter");
    await eventually(() => stage.same(moments[1], "fork of P2"));
    await terminal.sees("◆ 3 points"); // of the conversation up to there

    await terminal.sees("P2 SCRIPT"); // the prompt is in the editor again
    await terminal.keys("Enter");
    await terminal.sees("◆ 6 points");
    stage.same(moments[2], "P2 again");
    await terminal.type("/tree");
    await terminal.chooseLine("done P1");
    await terminal.keys("Enter");
    await terminal.sees("No summary");
    await terminal.keys("Enter");
    await terminal.sees("Restore files to that point");
    await terminal.keys("Down", "Enter");
    await eventually(() => stage.same(moments[1], "walk to the end of P1"));
    await terminal.sees("Navigated");
    await terminal.type("/rewind undo");
    if (!terminal.screen().includes("Rewind 1 path")) await terminal.keys("Enter"); // the first chose the completion
    await terminal.sees("Rewind 1 path");
    await terminal.keys("Enter");
    await eventually(() => stage.same(moments[2], "and undone"));
  } finally {
    terminal.end();
  }
}

export async function inTheTerminalACompactionACloneAndAResumeKeepTheirPoints(stage) {
  stage.install().put("f.txt", "v0\n").commit();
  let terminal = new Terminal(stage);
  try {
    await terminal.sees("fake-1");
    for (let i = 1; i <= 2; i++) {
      await terminal.type(script(`P${i} ${LONG}`, step(write("f.txt", `v${i}\n`)), { text: "reply ".repeat(200) + `end of P${i}` }));
      await terminal.sees(`◆ ${i * 3} points`);
    }
    stage.put("f.txt", "by hand\n");
    const atCompaction = stage.look();
    await terminal.type("/compact");
    await terminal.sees("◆ 7 points / 4 snapshots");
    await terminal.type("/clone");
    await terminal.sees("Cloned");
    stage.same(atCompaction, "a clone asks nothing");
    await terminal.type(script("P3", step(write("f.txt", "v3\n"), shell("echo n > n")), { text: "end of P3" }));
    await terminal.sees("◆ 10 points");
    const end = stage.look();
    terminal.end();
    terminal = new Terminal(stage, "--continue");
    await terminal.sees("◆ 10 points");
    await terminal.type("/fork");
    await terminal.chooseLine("P3 SCRIPT");
    await terminal.keys("Enter");
    await terminal.sees("Code only (restore files, keep conversation)");
    await terminal.keys("Down", "Down", "Enter");
    await eventually(() => stage.same(atCompaction, "before P3: as at the compaction"));
    await terminal.type("/rewind undo");
    if (!terminal.screen().includes("Rewind 2 paths")) await terminal.keys("Enter"); // the first chose the completion
    await terminal.sees("Rewind 2 paths");
    await terminal.keys("Enter");
    await eventually(() => stage.same(end, "and undone"));
  } finally {
    terminal.end();
  }
}
