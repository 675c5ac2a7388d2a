// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findCommand, readSettings } from "../command.ts";
import { Varve } from "../varve.ts";
import { FakePi } from "./fake-pi.ts";
import { FAKE, stage } from "./stage.ts";

test("an engine that dies is started again, told of the session, and asked again what it did not answer", async (t) => {
  const { pi, acts, asked } = stage(t, { plan: { turn_end: [null, "die"] } });
  await pi.emit("session_start", { reason: "startup" });
  await pi.prompt(3);

  assert.deepEqual(acts(), [
    ..."session prompt turn_start turn_end turn_end".split(" "),
    ..."session turn_end turn_end agent_end".split(" "),
  ]);
  assert.equal(asked().filter((line) => line.do === "session")[1]!.reason, "restart");
  assert.equal(pi.entries.filter((entry) => entry.customType === "rewind-turn").length, 3);
  assert.deepEqual(pi.said, ["warning: Rewind's engine stopped (it ended with status 9); it is started again."]);
});

test("that it died is said once a session", async (t) => {
  const { pi } = stage(t, { plan: { prompt: ["die", null, "die", null, "die"] } });
  await pi.emit("session_start", { reason: "startup" });
  for (let i = 0; i < 3; i++) await pi.prompt(1);
  assert.equal(pi.said.length, 1);
});

test("an engine that dies while nobody asks it is started again when somebody does, and that is said", async (t) => {
  const { pi, acts } = stage(t, { plan: { agent_end: ["die after"] } });
  await pi.emit("session_start", { reason: "startup" });
  await pi.prompt(1);
  while (!acts().includes("gone")) await new Promise((resolve) => setImmediate(resolve));
  await pi.prompt(1);
  assert.equal(acts().filter((act) => act === "session").length, 2);
  assert.deepEqual(pi.said, ["warning: Rewind's engine stopped (it ended with status 9); it is started again."]);
});

test("what dies each time is left alone, and Pi goes on", async (t) => {
  const { pi, acts } = stage(t, { plan: { session: "die" } });
  await pi.emit("session_start", { reason: "startup" });
  for (let i = 0; i < 5; i++) await pi.prompt(2);
  assert.equal(acts().length, 3);
  assert.match(pi.said.at(-1)!, /^error: Rewind is off in this session/);
  assert.equal(await pi.emit("session_before_fork", { entryId: "00000001" }), undefined);
});

test("a command that prints other things than answers is given up", async (t) => {
  const { pi } = stage(t, { plan: { session: "babble" } });
  await pi.emit("session_start", { reason: "startup" });
  await pi.prompt(1);
  assert.match(pi.said[0]!, /Rewind is off in this session: varve does not run: it answers "Picked up/);
});

test("a varve that knows no sessions is told of in one sentence", async (t) => {
  const { pi } = stage(t, { plan: { session: { answer: { ok: false, status: 2, error: "do: there is no 'session'" } } } });
  await pi.emit("session_start", { reason: "startup" });
  await pi.prompt(2);
  assert.deepEqual(pi.said, ["warning: Rewind is off: this varve is older than the extension."]);
});

test("a missing command is told of in one sentence, and Pi goes on", async (t) => {
  const { pi } = stage(t, { command: "/nowhere/varve" });
  await pi.emit("session_start", { reason: "startup" });
  await pi.prompt(2);
  assert.deepEqual(pi.said, ["error: Rewind is off in this session: varve does not run: it is not there."]);
});

test("the last line that the launcher says is the reason: no JDK, for instance", async (t) => {
  const script = `process.stderr.write("varve: looking\\nvarve: needs a JDK 25\\n"); process.exit(69)`;
  const { pi } = stage(t, { command: [process.execPath, "-e", script, "--"] });
  await pi.emit("session_start", { reason: "startup" });
  await pi.prompt(1);
  assert.deepEqual(pi.said, ["error: Rewind is off in this session: varve does not run: needs a JDK 25."]);
});

test("the next session's module takes the engine over; it is not started again", async (t) => {
  const s = stage(t);
  await s.pi.emit("session_start", { reason: "startup" });
  await s.pi.prompt(1);
  await s.pi.emit("session_shutdown", { reason: "fork" });
  s.pi.stale = true;
  const child = new FakePi("tui", s.pi.settings, s.folder);
  s.reload(child);
  await child.emit("session_start", { reason: "fork", previousSessionFile: "parent.jsonl" });
  await child.prompt(1);
  await child.emit("session_shutdown", { reason: "quit" });

  const sessions = s.asked().filter((line) => line.do === "session");
  assert.deepEqual(sessions.map((line) => line.reason), ["startup", "fork"]);
  assert.equal(new Set(s.asked().map((line) => line.id)).size, s.asked().filter((line) => line.do).length + (s.acts().includes("end") ? 1 : 0));
  assert.deepEqual([s.pi.said, child.said], [[], []]);
});

test("an answer that comes after the session is gone touches nothing", async (t) => {
  const s = stage(t, { plan: { points: { delayMs: 150 } } });
  await s.pi.emit("session_start", { reason: "startup" });
  await s.pi.prompt(1);
  const before = s.pi.entries.length;
  s.pi.answers = [undefined];
  const menu = s.pi.commands.get("rewind")!("", s.pi.ctx);
  await s.pi.emit("session_shutdown", { reason: "quit" });
  s.pi.stale = true;
  await menu.catch(() => {});
  assert.equal(s.pi.entries.length, before);
});

test("a second copy of the extension in the same Pi does nothing, and says so", async (t) => {
  const s = stage(t);
  const copy = new FakePi("tui", s.pi.settings, s.folder);
  s.reload(copy);
  await s.pi.emit("session_start", { reason: "startup" });
  await copy.emit("session_start", { reason: "startup" });
  await copy.prompt(1);
  await copy.emit("session_shutdown", { reason: "quit" });
  await s.pi.prompt(1);
  assert.match(copy.said[0]!, /installed twice/);
  assert.equal(s.acts().filter((act) => act === "session").length, 1);
});

test("the command is looked for in the settings, then in VARVE, then on the PATH", (t) => {
  const { folder } = stage(t);
  const file = join(folder, "varve");
  writeFileSync(file, "");
  chmodSync(file, 0o755);
  const none = readSettings({}, {});
  const set = readSettings({ rewind: { command: ["java", "-jar", "varve.jar"], dialogTimeoutMs: 5 } }, {});

  assert.deepEqual(findCommand(set, { VARVE: "v", PATH: folder }), ["java", "-jar", "varve.jar"]);
  assert.deepEqual(findCommand(none, { VARVE: "v", PATH: folder }), ["v"]);
  assert.deepEqual(findCommand(none, { PATH: `/nowhere:${folder}` }), [file]);
  assert.equal(set.dialogTimeoutMs, 5);
  assert.equal(readSettings({ rewind: { dialogTimeoutMs: -1 } }, {}).dialogTimeoutMs, 60_000);
});

test("without Pi's own view of them the settings are read from the agent's folder; a broken file is an empty one", (t) => {
  const { folder } = stage(t);
  const env = { PI_CODING_AGENT_DIR: folder };
  writeFileSync(join(folder, "settings.json"), JSON.stringify({ rewind: { command: FAKE } }));
  assert.deepEqual(readSettings(undefined, env).command, [FAKE]);
  writeFileSync(join(folder, "settings.json"), "{");
  assert.equal(readSettings(undefined, env).command, undefined);
});

test("what an engine was asked before it was closed is answered, and a later question goes to another engine", async () => {
  const slow =
    "require('readline').createInterface({ input: process.stdin }).on('line', (line) => setTimeout(() => " +
    "console.log(JSON.stringify({ id: JSON.parse(line).id, ok: true, pid: process.pid })), 50))";
  const varve = new Varve([process.execPath, "-e", slow], tmpdir(), process.env);
  const first = varve.ask({ do: "first" });
  varve.close();
  const second = varve.ask({ do: "second" });

  const pids = (await Promise.all([first, second])).map((answer) => (answer as unknown as { pid: number }).pid);
  varve.close();

  assert.notEqual(pids[0], pids[1]);
  assert.equal(varve.starts, 2);
});
