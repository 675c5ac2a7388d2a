// SPDX-License-Identifier: Apache-2.0

// `varve rewind serve` as a child process: a JSON object a line, answered by id (docs/stdio.md). It is started when it is first asked,
// and again after it died. It is never killed while it may be restoring: its input is closed, and it ends by itself.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { StringDecoder } from "node:string_decoder";

export interface Answer {
  ok: boolean;
  status?: number;
  error?: string;
  [field: string]: unknown;
}

/** No answer will come. `missing`: the command cannot be started at all, so that trying again is of no use. */
export class NoAnswer extends Error {
  readonly missing: boolean;

  constructor(message: string, missing: boolean) {
    super(message);
    this.missing = missing;
  }
}

const TALK_MAX = 4096;
const LINE_MAX = 64 << 20; // more is no answer but a fault; it must not fill Pi's memory
const TEXT_MAX = 400;

interface Waiting {
  child: ChildProcessWithoutNullStreams;
  resolve(answer: Answer): void;
  reject(why: NoAnswer): void;
}

export class Varve {
  private child: ChildProcessWithoutNullStreams | undefined;
  private readonly waiting = new Map<string, Waiting>();
  private next = 1;
  private begun = 0;
  private why = "";

  private readonly command: string[];
  private readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;

  constructor(command: string[], cwd: string, env: NodeJS.ProcessEnv) {
    this.command = command;
    this.cwd = cwd;
    this.env = env;
  }

  /** How often it was started. Who finds another number than last time has to tell it of the session again. */
  get starts(): number {
    return this.begun;
  }

  /** Why it ended last. */
  get end(): string {
    return this.why;
  }

  get running(): boolean {
    return this.child !== undefined;
  }

  /** Starts it if it does not run. */
  start(): void {
    this.child ??= this.spawn();
  }

  /** @throws NoAnswer when it dies first, or does not start */
  ask(request: { do: string } & Record<string, unknown>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.start();
      const child = this.child!;
      const id = String(this.next++);
      this.waiting.set(id, { child, resolve, reject });
      hold(child, true);
      child.stdin.write(JSON.stringify({ id, ...request }) + "\n");
    });
  }

  /** Closes its input. It answers what it was asked, and ends; a later question is for another child. */
  close(): void {
    this.child?.stdin.end();
    this.child = undefined;
  }

  private spawn(): ChildProcessWithoutNullStreams {
    const [file, ...words] = this.command;
    // Detached, because a Ctrl-C at the terminal is meant for Pi and must not break a restore off.
    const child = spawn(file!, [...words, "rewind", "serve"], {
      cwd: this.cwd,
      env: this.env,
      stdio: ["pipe", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    this.begun++;
    let talk = "";
    let line = "";
    const text = new StringDecoder("utf8");
    child.stderr.setEncoding("utf8").on("data", (more: string) => {
      talk = (talk + more).slice(-TALK_MAX);
    });
    child.stdout.on("data", (more: Buffer) => {
      const lines = (line + text.write(more)).split("\n");
      line = lines.pop()!;
      for (const each of lines) this.answered(child, each);
      if (line.length > LINE_MAX) this.ended(child, "it answers without end", false);
    });
    child.stdin.on("error", () => {}); // a broken pipe; that it is dead is told by its end
    child.on("error", (e: NodeJS.ErrnoException) =>
      this.ended(child, e.code === "ENOENT" ? "it is not there" : e.message, true),
    );
    child.on("close", (status, signal) => {
      const said = lastWords(talk);
      const how = signal ? `it was ended by ${signal}` : `it ended with status ${status}`;
      this.ended(child, said === "" ? how : said, status === 69 || status === 127 || status === 126);
    });
    hold(child, false);
    return child;
  }

  private answered(child: ChildProcessWithoutNullStreams, line: string): void {
    if (line.trim() === "" || (child !== this.child && !this.isAsked(child))) return;
    let answer: unknown;
    try {
      answer = JSON.parse(line);
    } catch {
      answer = undefined;
    }
    if (!isAnswer(answer)) {
      this.ended(child, `it answers ${JSON.stringify(line.slice(0, 80))}`, true);
      return;
    }
    const waiting = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if (!this.isAsked(child)) hold(child, false);
    waiting?.resolve(answer);
  }

  private ended(child: ChildProcessWithoutNullStreams, why: string, missing: boolean): void {
    if (child === this.child) {
      this.child = undefined;
      this.why = why;
    }
    child.stdin.end();
    hold(child, false);
    for (const [id, each] of [...this.waiting]) {
      if (each.child !== child) continue;
      this.waiting.delete(id);
      each.reject(new NoAnswer(why, missing));
    }
  }

  private isAsked(child: ChildProcessWithoutNullStreams): boolean {
    return [...this.waiting.values()].some((each) => each.child === child);
  }
}

/** While something is asked Pi must not end for want of work; while nothing is, the child must not keep Pi from ending. */
function hold(child: ChildProcessWithoutNullStreams, held: boolean): void {
  for (const each of [child, child.stdin, child.stdout, child.stderr] as { ref?(): void; unref?(): void }[]) {
    if (held) each.ref?.();
    else each.unref?.();
  }
}

function isAnswer(value: unknown): value is Answer & { id: string } {
  if (typeof value !== "object" || value === null) return false;
  const answer = value as Record<string, unknown>;
  return typeof answer.id === "string" && typeof answer.ok === "boolean";
}

/** The last thing that Varve itself said on stderr; else the first that anything said, which of a stack trace is what happened. */
function lastWords(talk: string): string {
  const lines = talk.split("\n").filter((line) => line.trim() !== "");
  const said = lines.findLast((line) => line.startsWith("varve: ")) ?? lines[0] ?? "";
  return said.replace(/^varve: /, "").trim().slice(0, TEXT_MAX);
}
