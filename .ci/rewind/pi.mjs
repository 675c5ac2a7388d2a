// SPDX-License-Identifier: Apache-2.0

// A real Pi in RPC mode: prompts, forks, tree moves, answers to its dialogs. What it shows and says is remembered.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

const LIMIT_MS = 300_000; // for a machine that does much else

/** Prompts whose end the scripted model reads: what it answers, step for step. */
export const script = (text, ...steps) => `${text} SCRIPT ${JSON.stringify(steps)}`;
export const write = (path, content) => ({ tool: "write", args: { path, content } });
export const shell = (command) => ({ tool: "bash", args: { command } });
export const step = (...calls) => ({ text: "working", calls });
export const slowly = (delayMs, ...calls) => ({ delayMs, text: "working", calls });
export const DONE = { text: "done" };

export class Pi {
  dialogs = [];
  notices = [];
  footer;
  problems = [];
  events = [];
  #answers = [];
  #waiting = [];
  #next = 1;
  #lines = "";
  #ended;

  constructor(command, version, cwd, env, args) {
    this.version = version;
    this.child = spawn(command[0], [...command.slice(1), "--mode", "rpc", ...args], { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
    this.child.stdout.on("data", (more) => {
      const lines = (this.#lines + more).split("\n");
      this.#lines = lines.pop();
      for (const line of lines) if (line.trim() !== "") this.#heard(line);
    });
    this.stderr = "";
    this.child.stderr.on("data", (more) => (this.stderr += more));
    this.child.stdin.on("error", () => {});
    this.#ended = new Promise((resolve) => this.child.on("close", (code, signal) => {
      for (const { reject } of this.#waiting) reject(new Error(`Pi ended: ${code ?? signal} ${this.stderr.slice(-2000)}`));
      this.#waiting = [];
      resolve();
    }));
  }

  #heard(line) {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      this.problems.push(`Pi prints ${line.slice(0, 200)}`);
      return;
    }
    this.events.push(message.type);
    if (message.type === "extension_error") this.problems.push(`extension error: ${message.error}`);
    if (message.type === "extension_ui_request") this.#asked(message);
    for (const each of [...this.#waiting]) {
      if (!each.wanted(message)) continue;
      this.#waiting.splice(this.#waiting.indexOf(each), 1);
      each.resolve(message);
    }
  }

  #asked(request) {
    if (request.method === "setStatus" && request.statusKey === "rewind") this.footer = request.statusText;
    if (request.method === "notify" && !request.message.startsWith("drive: ")) this.notices.push(`${request.notifyType}: ${request.message}`);
    if (!["select", "confirm", "input", "editor"].includes(request.method)) return;
    this.dialogs.push(request);
    if (request.method === "select") while (typeof this.#answers[0] === "boolean") this.#answers.shift(); // was not asked
    const answer = this.#answers.shift();
    if (answer === "never") return;
    if (answer === undefined) this.problems.push(`unexpected dialog: ${request.title} ${JSON.stringify(request.options)}`);
    const said = { type: "extension_ui_response", id: request.id };
    if (request.method === "confirm") return this.#send({ ...said, confirmed: answer === true });
    const value = request.options?.find((option) => typeof answer === "string" && option.startsWith(answer));
    if (value === undefined && answer !== null) this.problems.push(`no option ${answer} in ${JSON.stringify(request.options)}`);
    this.#send(value === undefined ? { ...said, cancelled: true } : { ...said, value });
  }

  #send(message) {
    this.child.stdin.write(JSON.stringify(message) + "\n");
  }

  /** What the next dialogs are answered: the beginning of an option, true or false, null to dismiss, "never". */
  answer(...answers) {
    this.#answers.push(...answers);
    return this;
  }

  wait(wanted, limitMs = LIMIT_MS) {
    const found = new Promise((resolve, reject) => {
      const each = { wanted, resolve, reject };
      this.#waiting.push(each);
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((other) => other !== each);
        reject(new Error(`Pi does not answer; last: ${this.events.slice(-8)} ${this.stderr.slice(-500)}`));
      }, limitMs);
      each.resolve = (message) => {
        clearTimeout(timer);
        resolve(message);
      };
      each.reject = (why) => {
        clearTimeout(timer);
        reject(why);
      };
    });
    found.catch(() => {}); // who awaits it is told; who no longer does need not be
    return found;
  }

  async ask(request) {
    const id = `r${this.#next++}`;
    const answered = this.wait((message) => message.type === "response" && message.id === id);
    this.#send({ ...request, id });
    const answer = await answered;
    assert.ok(answer.success, `${request.type}: ${answer.error}`);
    return answer.data;
  }

  settled() {
    const end = this.version === "new" ? "agent_settled" : "agent_end";
    return this.wait((message) => message.type === end);
  }

  async prompt(text) {
    const end = this.settled();
    await this.ask({ type: "prompt", message: text });
    await end;
    await this.idle();
  }

  /** Begins a prompt; resolves when the model's turn number `turn` has ended. */
  async promptUpTo(text, turn) {
    let turns = 0;
    const end = this.wait((message) => message.type === "turn_end" && ++turns === turn);
    await this.ask({ type: "prompt", message: text });
    await end;
  }

  async fork(entryId) {
    return (await this.ask({ type: "fork", entryId })).cancelled;
  }

  async clone() {
    return (await this.ask({ type: "clone" })).cancelled;
  }

  async compact() {
    await this.ask({ type: "compact" });
  }

  /** Runs a command of drive.ts to its end. */
  async drive(command) {
    const end = this.wait((message) => message.method === "notify" && message.message?.startsWith("drive: "));
    await this.ask({ type: "prompt", message: command });
    const said = JSON.parse((await end).message.slice("drive: ".length));
    assert.equal(said.error, undefined, command);
    return said;
  }

  /** A command of the extension, up to a sentence that begins so. */
  async command(text, sentence) {
    const said = this.wait((message) => message.method === "notify" && message.message?.startsWith(sentence));
    await this.ask({ type: "prompt", message: text });
    await said;
  }

  async file() {
    return (await this.ask({ type: "get_state" })).sessionFile;
  }

  async entries() {
    return entriesOf(await this.file());
  }

  /** Old versions tell the end of a run a little before they take the next request. */
  async idle() {
    while ((await this.ask({ type: "get_state" })).isStreaming);
  }

  async stop() {
    this.child.stdin.end();
    await this.#ended;
  }

  async kill() {
    this.child.kill("SIGKILL");
    await this.#ended;
  }
}

export function entriesOf(file) {
  return readFileSync(file, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line)).slice(1);
}

export const users = (entries) => entries.filter((entry) => entry.message?.role === "user");
export const assistants = (entries) => entries.filter((entry) => entry.message?.role === "assistant");
export const records = (entries) => entries.filter((entry) => entry.customType?.startsWith("rewind-"));
