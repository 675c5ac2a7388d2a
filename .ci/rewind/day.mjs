// SPDX-License-Identifier: Apache-2.0

// A day's work: prompts that change files, then walks and forks to any of them.

import assert from "node:assert/strict";
import { assistants, DONE, entriesOf, script, step, users } from "./pi.mjs";

// A prompt for each list of tool calls. Answers the worktrees before and after each, and where each ended.
export async function work(stage, pi, changes) {
  const day = { before: [], after: [] };
  for (const [i, calls] of changes.entries()) {
    day.before.push(stage.look());
    await pi.prompt(script(`P${i}`, step(...calls), DONE));
    day.after.push(stage.look());
  }
  day.session = await pi.file();
  day.ends = assistants(await pi.entries()).filter((entry) => entry.message.stopReason === "stop").map((entry) => entry.id);
  return day;
}

export async function walk(pi, day, order, same) {
  for (const i of order) {
    pi.answer("Restore files");
    await pi.drive(`/go ${day.ends[i]}`);
    same(day.after[i], `walk to the end of P${i}`);
  }
}

export async function forkEach(pi, day, order, same) {
  for (const i of order) {
    await pi.ask({ type: "switch_session", sessionPath: day.session });
    pi.answer("Restore all");
    assert.equal(await pi.fork(users(entriesOf(day.session))[i].id), false);
    same(day.before[i], `fork of P${i}`);
  }
}
