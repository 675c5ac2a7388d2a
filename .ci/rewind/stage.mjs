// SPDX-License-Identifier: Apache-2.0

// A computer for one scenario: a home, an agent folder with the extension installed, a repository. Nothing of the user's is read.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Pi } from "./pi.mjs";
import { git, look, repository, same, status } from "./worktree.mjs";

const { PI_LAB_DIR, LAB, WORK, PI_LAB_PORT, VARVE } = process.env;
const HERE = import.meta.dirname;
const EXTENSION = join(HERE, "..", "..", "pi-extension");

export function piCommand(version) {
  return [process.execPath, join(PI_LAB_DIR, version, "node_modules", ".bin", "pi")];
}

export class Stage {
  started = [];

  constructor(version, name) {
    this.version = version;
    this.folder = join(WORK, `${name}-${version}`);
    this.home = join(this.folder, "home");
    this.agent = join(this.folder, "agent");
    this.repo = join(this.folder, "repo");
    for (const each of [this.home, this.agent, this.repo]) mkdirSync(each, { recursive: true });
    const models = readFileSync(join(LAB, "agent-tpl", "models.json"), "utf8");
    writeFileSync(join(this.agent, "models.json"), models.replace("18080", PI_LAB_PORT));
    cpSync(join(LAB, "agent-tpl", "settings.json"), join(this.agent, "settings.json"));
    this.env = {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"))),
      HOME: this.home,
      PI_CODING_AGENT_DIR: this.agent,
      PI_OFFLINE: "1",
      PI_TELEMETRY: "0",
      PI_SKIP_VERSION_CHECK: "1",
      VARVE,
    };
    git(this.repo, "init", "-q", "-b", "main", ".");
  }

  withoutGit() {
    rmSync(join(this.repo, ".git"), { recursive: true });
    return this;
  }

  settings(change) {
    const file = join(this.agent, "settings.json");
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), ...change }));
    return this;
  }

  /** As a user does it; what Pi made of that the first time is used again. Its path is relative: all stages lie equally deep. */
  install() {
    const settings = join(this.agent, "settings.json");
    const made = join(WORK, `installed-${this.version}.json`);
    if (!existsSync(made)) {
      const [node, pi] = piCommand(this.version);
      execFileSync(node, [pi, "install", EXTENSION], { env: this.env, stdio: "pipe" });
      cpSync(settings, made);
    }
    cpSync(made, settings);
    return this;
  }

  copy() {
    const to = join(this.agent, "extensions", "rewind");
    cpSync(EXTENSION, to, { recursive: true, filter: (from) => !from.includes("node_modules") });
    return this;
  }

  put(path, content, mode = 0o644) {
    const file = join(this.repo, path);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, content, { mode });
    return this;
  }

  sh(command, folder = this.repo) {
    const identity = { GIT_AUTHOR_NAME: "t", GIT_AUTHOR_EMAIL: "t@e", GIT_COMMITTER_NAME: "t", GIT_COMMITTER_EMAIL: "t@e" };
    return execFileSync("bash", ["-euc", command], { cwd: folder, env: { ...this.env, ...identity }, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  }

  /** The command itself, in the repository. */
  varve(...words) {
    return execFileSync(VARVE, words, { cwd: this.repo, env: this.env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  }

  commit() {
    this.sh("git add -A; git commit -qm first");
    return this;
  }

  pi(...args) {
    return this.piIn(this.repo, ...args);
  }

  piIn(folder, ...args) {
    const pi = new Pi(piCommand(this.version), this.version, folder, this.env, ["-e", join(HERE, "drive.ts"), ...args]);
    this.started.push(pi);
    return pi;
  }

  look() {
    return look(this.repo);
  }

  /** The worktree and git's view of it. */
  moment() {
    return { files: look(this.repo), status: status(this.repo) };
  }

  same(moment, when) {
    same(this.repo, moment.files ?? moment, when);
    if (moment.status !== undefined) assert.equal(status(this.repo), moment.status, `git status, ${when}`);
  }

  repository() {
    return repository(this.repo);
  }

  sessions() {
    const root = join(this.agent, "sessions");
    return existsSync(root) ? readdirSync(root, { recursive: true }).filter((name) => name.endsWith(".jsonl")).map((name) => join(root, name)) : [];
  }

  /** The engines that work in this repository, by their process ids. */
  engines() {
    const found = [];
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        const env = readFileSync(`/proc/${pid}/environ`, "utf8");
        if (words.includes("serve") && words[0].includes("java") && env.includes(`PI_CODING_AGENT_DIR=${this.agent}\0`)) found.push(Number(pid));
      } catch {
        // it ended
      }
    }
    return found;
  }

  /** Ends a session, and waits for what its engine still does. */
  async over(pi) {
    await pi.stop();
    await eventually(() => assert.deepEqual(this.engines(), []));
  }

  async end() {
    for (const pi of this.started) {
      if (pi.child.exitCode === null && pi.child.signalCode === null) await pi.stop();
    }
    assert.deepEqual(this.started.flatMap((pi) => pi.problems), []);
  }

  async abandon() {
    for (const pi of this.started) pi.child.kill("SIGKILL");
  }
}

export async function eventually(check, limitMs = 120_000) {
  for (const end = Date.now() + limitMs; ; ) {
    try {
      return check();
    } catch (e) {
      if (Date.now() > end) throw e;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
}
