// SPDX-License-Identifier: Apache-2.0

// See pi-judge.sh. usage: pi-judge.mjs PI-PACKAGE EMPTY-FOLDER

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [pi, folder] = process.argv.slice(2);
const { SessionManager } = await import(pathToFileURL(join(pi, "dist", "index.js")));
const env = { ...process.env, PI_CODING_AGENT_DIR: join(folder, "agent"), VARVE_STORE: join(folder, "store") };
const AT = "2026-01-05T09:00:00.000Z";
const HEADER = { type: "session", version: 3, id: "01a21ebb-c872-72b3-a489-963dcf00a81b", timestamp: AT, cwd: folder };

const id = (number) => number.toString(16).padStart(8, "0");
const entry = (number, parent, fields = {}) => ({
  type: "message",
  id: id(number),
  parentId: parent === null ? null : id(parent),
  timestamp: AT,
  message: { role: number % 2 === 0 ? "user" : "assistant", content: [{ type: "text", text: `message ${number}` }], timestamp: Date.parse(AT), stopReason: "stop" },
  ...fields,
});

function file(name, ...lines) {
  const path = join(folder, `${name}.jsonl`);
  writeFileSync(path, [HEADER, ...lines].map((line) => JSON.stringify(line) + "\n").join(""));
  return path;
}

function varve(status, ...words) {
  const run = spawnSync(process.env.VARVE, words, { env, encoding: "utf8", maxBuffer: 1 << 28 });
  assert.equal(run.status, status, `varve ${words.join(" ")}: ${run.stdout}${run.stderr}`);
  return run.stdout;
}

const problems = (status, path, ...words) => JSON.parse(varve(status, "pi", "doctor", path, "--json", ...words)).problems.map((row) => row.problem);

/** How many messages Pi would send to the model, and how many entries it reads; with `more` messages, after it appended them, and opened anew. */
function opened(path, more = 0) {
  const copy = `${path}.opened.jsonl`; // Pi rewrites some files
  copyFileSync(path, copy);
  let session = SessionManager.open(copy);
  for (let i = 0; i < more; i++) session.appendMessage({ ...six[i].message });
  if (more > 0) session = SessionManager.open(copy);
  return { sent: session.buildSessionContext().messages.length, entries: session.getEntries().length };
}

const six = [0, 1, 2, 3, 4, 5].map((number) => entry(number, number === 0 ? null : number - 1));
const verdicts = [];
function judged(what, test) {
  test();
  verdicts.push(what);
}

judged("a whole session is healthy", () => {
  const path = file("whole", ...six);
  assert.deepEqual(problems(0, path), []);
  assert.deepEqual(opened(path), { sent: 6, entries: 6 });
});

judged("a last line without an id costs Pi the conversation, and the copy has it", () => {
  const { id: _, ...without } = entry(6, 5);
  const path = file("no-id", ...six, without);
  assert.ok(opened(path, 2).sent < 6, JSON.stringify(opened(path, 2)));
  const repaired = join(folder, "no-id-repaired.jsonl");
  assert.ok(problems(3, path, "--repair-to", repaired).includes("no_id"));
  assert.equal(opened(repaired, 2).sent, 9);
});

judged("of two processes that took turns Pi goes on with one", () => {
  const turns = [...six.slice(0, 2)];
  const ends = [1, 1];
  for (let number = 2; number < 14; number += 2) {
    const who = (number / 2) % 2;
    turns.push(entry(number, ends[who]), entry(number + 1, number));
    ends[who] = number + 1;
  }
  const path = file("turns", ...turns);
  const seen = opened(path);
  assert.equal(seen.entries, 14);
  assert.ok(seen.sent < 14, JSON.stringify(seen));
  assert.deepEqual(problems(3, path), ["taking_turns"]);
});

judged("times of 2031, and none, cost Pi nothing, and are a warning", () => {
  const ahead = file("ahead", ...six.map((each) => ({ ...each, timestamp: "2031-01-05T09:00:00.000Z" })));
  assert.deepEqual(problems(3, ahead), ["time_ahead"]);
  const none = file("none", ...six.map(({ timestamp: _, ...rest }) => rest));
  assert.deepEqual(problems(3, none), ["no_time"]);
  for (const path of [ahead, none]) assert.deepEqual(opened(path), { sent: 6, entries: 6 });
});

judged("a sound line above 63 MiB is read by Pi, and is no damage", () => {
  const long = entry(4, 3);
  long.message.content[0].text = "x".repeat(64 << 20);
  const path = file("long", ...six.slice(0, 4), long, six[5]);
  assert.deepEqual(problems(0, path), ["too_long"]);
  assert.deepEqual(opened(path), { sent: 6, entries: 6 });
});

judged("what another computer went on with is appended to the file that it began with", () => {
  const mine = file("mine", ...six);
  const theirs = join(folder, "theirs.jsonl");
  copyFileSync(mine, theirs);
  const there = SessionManager.open(theirs);
  there.appendMessage({ role: "user", content: "more", timestamp: Date.parse(AT) });
  there.appendMessage(six[1].message);
  const branch = varve(0, "pi", "publish", theirs).trim();
  assert.notEqual(spawnSync(process.env.VARVE, ["pi", "get", branch, "-o", mine], { env }).status, 0);
  varve(0, "pi", "get", "--update", branch, "-o", mine);
  assert.deepEqual(readFileSync(mine), readFileSync(theirs));
  assert.deepEqual(opened(mine), { sent: 8, entries: 8 });
});

for (const what of verdicts) console.log(`real Pi agrees: ${what}`);
