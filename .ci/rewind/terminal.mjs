// SPDX-License-Identifier: Apache-2.0

// Pi in a terminal of tmux: keys in, the screen out.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { piCommand } from "./stage.mjs";

const LIMIT_MS = 180_000;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

let opened = 0;

export class Terminal {
  constructor(stage, ...args) {
    this.socket = join(stage.folder, `tmux${++opened}`); // a server that is asked to end may still be there
    const quoted = [...piCommand(stage.version), ...args].map((word) => `'${word}'`).join(" ");
    const file = join(stage.folder, "pi.sh");
    writeFileSync(file, `cd '${stage.repo}' && exec ${quoted} 2> '${stage.folder}/pi.err'\n`);
    this.env = { ...stage.env, TERM: "xterm-256color", LC_ALL: "C.UTF-8" };
    this.#tmux("-f", "/dev/null", "new-session", "-d", "-x", "160", "-y", "60", `bash ${file}`);
  }

  #tmux(...words) {
    return execFileSync("tmux", ["-S", this.socket, "-u", ...words], { env: this.env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  }

  screen() {
    return this.#tmux("capture-pane", "-p", "-J");
  }

  async sees(text) {
    for (const end = Date.now() + LIMIT_MS; ; await pause(100)) {
      const screen = this.screen();
      if (screen.includes(text)) return screen;
      assert.ok(Date.now() < end, `no '${text}' on the screen:\n${screen}`);
    }
  }

  async keys(...names) {
    for (const name of names) {
      this.#tmux("send-keys", name);
      await pause(150);
    }
  }

  /** A line and Enter. */
  async type(text) {
    this.#tmux("send-keys", "-l", text);
    await pause(300);
    this.#tmux("send-keys", "Enter");
    await pause(150);
  }

  /** Moves up until the line under the cursor has the text. */
  async chooseLine(text) {
    for (let i = 0; i < 40; i++) {
      const line = this.screen().split("\n").find((each) => /^\s*›|^\s*→/.test(each));
      if (line?.includes(text)) return;
      await this.keys("Up");
    }
    assert.fail(`no line '${text}' to choose:\n${this.screen()}`);
  }

  end() {
    try {
      this.#tmux("kill-server");
    } catch {
      // it has ended
    }
  }
}
