// SPDX-License-Identifier: Apache-2.0

// The command `/rewind`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { stage, type Stage } from "./stage.ts";

const AT = "2026-01-05T12:00:00Z";
const SHOWN_AT = new Date(AT).toLocaleString("sv-SE");
const BEGUN = { kind: "restore", from: "a", to: "b", path_count: 3 };

async function begun(stage: Stage): Promise<Stage> {
  await stage.pi.emit("session_start", { reason: "startup" });
  await stage.pi.prompt(1);
  return stage;
}

const rewind = (stage: Stage, words = "") => stage.pi.commands.get("rewind")!(words, stage.pi.ctx);

/** The agent begins to run: not idle, and told so. */
function works(stage: Stage): Promise<unknown> {
  stage.pi.idle = false;
  return stage.pi.emit("turn_start", { turnIndex: 0 });
}

function rests(stage: Stage): Promise<unknown> {
  stage.pi.idle = true;
  return stage.pi.emit("agent_end", {});
}

const chosen = (stage: Stage) => stage.asked().filter((line) => line.do === "choose").map((line) => line.option);
const point = (entry: string) => ({ entry, snapshot: "s1", at: AT, role: "user" });

test("/rewind shows a plan before it does anything", async (t) => {
  const list = [point("00000001")];
  const s = await begun(stage(t, { plan: { points: { answer: { list } } } }));
  s.pi.entries[0]!.message!.content = [{ type: "text", text: "Use\n  JWT" }];
  const label = `${SHOWN_AT}  user  Use JWT  (00000001)`;
  s.pi.answers = [label, false];
  await rewind(s);
  assert.deepEqual(chosen(s), []);
  s.pi.answers = [label, true];
  await rewind(s);
  s.pi.answers = [true];
  await rewind(s, "undo");
  s.pi.answers = [true];
  await rewind(s, "redo");

  assert.deepEqual(chosen(s), ["restore", "undo", "redo"]);
  assert.equal(s.asked().find((line) => line.option === "restore")!.entry, "00000001");
  assert.equal(s.pi.confirmed[0], "Rewind 1 path?\nPaths: 1 changed. Lines: 3 added, 2 removed.\nchange  f  (edited since the last snapshot)");
});

test("/rewind offers nothing that cannot be done", async (t) => {
  const none = { ok: false, status: 1, error: "restore to undo: not found" };
  const list: unknown[] = [];
  const s = await begun(
    stage(t, { plan: { points: [{ answer: { list, undo: false, redo: false } }, { answer: { list, undo: false, redo: true } }], plan_undo: { answer: none } } }),
  );
  await rewind(s);
  assert.equal(s.pi.asked.length, 0);
  assert.equal(s.pi.said.at(-1), "info: Rewind: of no entry on this branch are the files known. The next prompt makes a point.");
  s.pi.answers = [undefined];
  await rewind(s);
  assert.deepEqual(s.pi.asked.at(-1)!.options, ["Redo last undone file rewind"]);
  await rewind(s, "undo");
  assert.deepEqual(s.pi.said.slice(1), ["info: Rewind: there is nothing to undo."], "once");
});

test("the first prompt makes a point where one will, and nowhere else", async (t) => {
  const none = { answer: { list: [], undo: false, redo: false } };
  const s = stage(t, { plan: { points: none } });
  await s.pi.emit("session_start", { reason: "startup" });
  await rewind(s);
  assert.deepEqual(s.pi.said, ["info: Rewind: there is no point yet. The first prompt makes one."]);
});

test("where no snapshots are kept /rewind says why, each time it is asked", async (t) => {
  const s = stage(t, { plan: { session: { answer: { enabled: false, status: null, why: "git worktree /x: not found" } } } });
  await s.pi.emit("session_start", { reason: "startup" });
  for (const word of ["", "undo", "finish", "jwt"]) await rewind(s, word);
  assert.deepEqual(s.pi.said, Array(4).fill("warning: Rewind is off in this session: git worktree /x: not found."));
});

test("while a tool runs nothing is restored", async (t) => {
  const s = await begun(stage(t));
  await works(s);
  for (const word of ["", "undo", "finish", "roll-back"]) await rewind(s, word);
  assert.deepEqual(s.pi.said, Array(4).fill("warning: Rewind: the agent is at work, and its tools may change files. Wait for its end, or press Escape."));
  assert.equal(await s.pi.emit("session_before_fork", { entryId: "00000001" }), undefined);
  assert.deepEqual([s.pi.asked.length, chosen(s)], [0, ["conversation-only"]]);
  assert.match(s.pi.said.at(-1)!, /The files stay as they are\.$/);

  await rests(s);
  s.pi.confirm = () => {
    void works(s); // a prompt came while the question was open
    return true;
  };
  await rewind(s, "undo");
  assert.deepEqual(chosen(s), ["conversation-only"]);
  assert.match(s.pi.said.at(-1)!, /Nothing was restored\.$/);
});

test("Pi that is not idle restores all the same when no agent runs: it moves in the tree, or ends a run", async (t) => {
  const s = await begun(stage(t));
  s.pi.idle = false;
  s.pi.answers = ["Restore all", "Restore all", true];
  await s.pi.emit("session_before_tree", { preparation: { targetId: "00000001" } });
  await s.pi.emit("session_before_fork", { entryId: "00000001" });
  await rewind(s, "undo");
  assert.deepEqual([s.pi.asked.length, chosen(s).length, s.pi.said.filter((text) => /at work/.test(text))], [2, 3, []]);
});

test("a shell command of the user that may still run is named in the question", async (t) => {
  const s = await begun(stage(t));
  await s.pi.emit("user_bash", {});
  s.pi.answers = [false];
  await rewind(s, "undo");
  s.pi.say("bashExecution");
  s.pi.answers = [false];
  await rewind(s, "undo");
  assert.deepEqual(s.pi.confirmed.map((text) => /shell command may still run/.test(text)), [true, false]);
});

test("more than a hundred points are shown a page at a time, and searched by their words", async (t) => {
  const list = Array.from({ length: 250 }, (_, i) => point(`p${i}`));
  const s = await begun(stage(t, { plan: { points: { answer: { list, count: 250, redo: true } } } }));
  s.pi.answers = ["… 150 older", "… 50 older", "… 200 newer", undefined];
  await rewind(s);
  const pages = s.pi.asked.map((each) => each.options);
  assert.deepEqual(pages.map((page) => page.length), [103, 102, 51, 102]);
  assert.deepEqual([pages[0]![0], pages[1]![0], pages[2]![0]], ["Undo last file rewind", "… 100 newer", "… 200 newer"]);
  assert.equal(pages[2]!.at(-1), `${SHOWN_AT}  user  (p249)`);
  assert.equal(s.asked().find((line) => line.do === "points")!.limit, s.pi.entries.length);

  s.pi.answers = [undefined];
  await rewind(s, "USER (p77");
  assert.deepEqual(s.pi.asked.at(-1)!.options, [`${SHOWN_AT}  user  (p77)`]);
  await rewind(s, "no such words");
  assert.equal(s.pi.said.at(-1), 'info: Rewind: no point has the words "no such words".');
});

test("a turn that only called tools is shown by the tools and their paths", async (t) => {
  const s = await begun(stage(t, { plan: { points: { answer: { list: [point("00000001"), point("00000002"), point("c"), point("gone")] } } } }));
  s.pi.entries[0]!.message!.content = [
    { type: "thinking", thinking: "x" },
    { type: "text", text: " " },
    { type: "toolCall", name: "write", arguments: { path: "src/a.ts", content: "x" } },
    { type: "toolCall", name: "bash", arguments: { command: "npm\n test" } },
    { type: "toolCall", name: "odd", arguments: 7 },
  ];
  s.pi.entries[1]!.message!.content = [null, { type: "toolCall" }];
  s.pi.entries.push({ type: "compaction", id: "c", parentId: null, timestamp: AT, summary: "What was done" });
  s.pi.answers = [undefined];
  await rewind(s);
  assert.deepEqual(s.pi.asked[0]!.options.slice(1), [
    `${SHOWN_AT}  user  write src/a.ts, bash npm test, odd  (00000001)`,
    `${SHOWN_AT}  user  (00000002)`,
    `${SHOWN_AT}  user  What was done  (c)`,
    `${SHOWN_AT}  user  (gone)`,
  ]);
});

test("points of another worktree are named as the other's", async (t) => {
  const elsewhere = [{ worktree: "linked", points: 2 }];
  const none = { answer: { list: [], undo: false, redo: false, elsewhere } };
  const s = await begun(stage(t, { plan: { points: [none, { answer: { list: [point("00000001")], elsewhere } }] } }));
  await rewind(s);
  assert.deepEqual(s.pi.said, ["info: Rewind: no point is of this worktree. 2 points are of the worktree 'linked'."]);
  s.pi.answers = [undefined];
  await rewind(s);
  assert.equal(s.pi.asked[0]!.title, "Rewind files to …\n2 points are of the worktree 'linked'.");
});

test("what the engine refuses is said once each time", async (t) => {
  const refused = { answer: { ok: false, status: 4, error: "locked by 17" } };
  const s = await begun(stage(t, { plan: { plan: refused, points: [refused], choose: refused, finish: refused, fork_choices: refused } }));
  await rewind(s);
  s.pi.answers = [(options) => Promise.resolve(options.at(-1))];
  await rewind(s);
  s.pi.answers = [true];
  await rewind(s, "undo");
  await rewind(s, "finish");
  await s.pi.emit("session_before_fork", { entryId: "00000001" });
  await s.pi.emit("session_before_fork", { entryId: "00000001" });
  assert.deepEqual(s.pi.said.map((text) => text.replace(/^[a-z]*: /, "")), Array(6).fill("Rewind: locked by 17"));
});

test("each time an engine dies in a restore it is said what may be half changed, and the words that settle it", async (t) => {
  const s = await begun(stage(t, { plan: { choose: ["die", "die"], finish: ["die"], roll_back: { answer: { exact: true } } } }));
  s.pi.answers = ["Code only (restore files, keep conversation)"];
  await s.pi.emit("session_before_fork", { entryId: "00000001" });
  s.pi.answers = [true];
  await rewind(s, "undo");
  await rewind(s, "finish");
  await rewind(s, "roll-back");

  const stopped = (what: string) =>
    `error: Rewind's engine stopped (it ended with status 9) while it restored files. Some may be changed and others not yet: ${what}. \`/rewind finish\` ends the restore, \`/rewind roll-back\` takes it back.`;
  assert.deepEqual(s.pi.said.filter((text) => !text.includes("started again")), [
    stopped("2 files change"),
    stopped("change  f  (edited since the last snapshot)"),
    stopped("those of the restore that broke off"),
    "info: Rewind: done; every file is as it was to be.",
  ]);
});

test("the words of the user settle a restore that broke off, without another question", async (t) => {
  const s = await begun(stage(t, { plan: { choose: ["die"], session: [null, { answer: { begun: BEGUN } }], finish: [null, { answer: { ok: false, status: 1, error: "none" } }] } }));
  s.pi.answers = [true];
  await rewind(s, "undo");
  await rewind(s, "finish");
  await rewind(s, "finish");
  assert.deepEqual(s.pi.asked, []);
  assert.deepEqual(s.pi.said.slice(-2), ["info: Rewind: done; every file is as it was to be.", "info: Rewind: no restore broke off."]);
});

test("a restore that broke off is asked about before a menu is shown", async (t) => {
  const s = await begun(stage(t, { plan: { choose: ["die"], session: [null, { answer: { begun: BEGUN } }] } }));
  s.pi.answers = [true];
  await rewind(s, "undo");
  s.pi.answers = ["Later", undefined];
  await rewind(s);
  assert.deepEqual(s.pi.asked.map((each) => each.title), ["A restore of 3 files broke off before its end.", "Rewind files to …"]);
  assert.match(s.pi.said.at(-1)!, /`\/rewind finish` ends that restore/);
});

test("when the engine is given up in a restore, the words are those of a terminal", async (t) => {
  const s = await begun(stage(t, { plan: { finish: ["die", "die", "die"] } }));
  for (let i = 0; i < 3; i++) await rewind(s, "finish");
  assert.match(s.pi.said.at(-1)!, /`varve rewind restore --finish` ends the restore and `--roll-back` takes it back\.$/);
  await rewind(s, "finish");
  assert.equal(s.pi.said.at(-1), "warning: Rewind is off in this session: varve does not run: it ended with status 9.");
});
