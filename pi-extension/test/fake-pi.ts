// SPDX-License-Identifier: Apache-2.0

// As much of Pi as the extension sees, with the order of events and the moments of writing that were observed in the real one.

import type { Context, DialogOptions, Entry, Events, Level, Pi } from "../pi.ts";

type Handler = (event: never, ctx: Context) => unknown;

export class FakePi {
  readonly said: string[] = [];
  readonly footers: (string | undefined)[] = [];
  readonly asked: { title: string; options: string[]; how: DialogOptions | undefined }[] = [];
  readonly confirmed: string[] = [];
  /** What the user answers to dialogs; a function is called with the options; undefined dismisses. */
  answers: (string | boolean | undefined | ((options: string[]) => Promise<string | undefined>))[] = [];
  entries: Entry[] = [];
  file: string | undefined;
  settings: object;
  stale = false;
  idle = true;
  /** Answers a question of yes or no instead of `answers`. */
  confirm: (() => boolean) | undefined;
  readonly commands = new Map<string, (args: string, ctx: Context) => Promise<void>>();
  readonly ctx: Context;
  private readonly handlers = new Map<string, Handler[]>();
  private count = 0;

  constructor(mode: "tui" | "rpc" | "print", settings: object, cwd: string) {
    this.settings = settings;
    const session = {
      getSessionId: () => this.live("session-1"),
      getSessionFile: () => this.live(this.file),
      getHeader: () => this.live({}),
      getLeafId: () => this.live(this.entries.at(-1)?.id ?? null),
      getEntries: () => this.live([...this.entries]),
    };
    const silent = mode === "print";
    this.ctx = {
      mode,
      hasUI: !silent,
      isIdle: () => this.idle,
      cwd,
      sessionManager: session,
      ui: {
        select: (title, options, how) => {
          this.asked.push({ title, options, how });
          const answer = this.answers.shift();
          return typeof answer === "function" ? answer(options) : Promise.resolve(answer as string | undefined);
        },
        confirm: (title, message) => {
          this.confirmed.push(`${title}\n${message}`);
          return Promise.resolve(this.confirm ? this.confirm() : this.answers.shift() === true);
        },
        notify: (message: string, level?: Level) => {
          this.said.push(`${this.live(level ?? "info")}: ${message}`);
        },
        setStatus: (_key, text) => {
          this.footers.push(this.live(text));
        },
      },
    };
  }

  api(): Pi {
    return {
      on: (event, handler) => {
        this.handlers.set(event, [...(this.handlers.get(event) ?? []), handler as Handler]);
      },
      appendEntry: (customType, data) => {
        this.add({ type: "custom", customType: this.live(customType), data });
      },
      registerCommand: (name, command) => {
        this.commands.set(name, command.handler);
      },
      getSettings: () => this.settings,
    };
  }

  async emit<E extends keyof Events>(event: E, fields: Events[E]): Promise<unknown> {
    let result: unknown;
    for (const handler of this.handlers.get(event) ?? []) {
      const answer = await handler({ type: event, ...fields } as never, this.ctx);
      if (answer !== undefined) result = answer;
    }
    return result;
  }

  add(fields: Partial<Entry> & { type: string }): string {
    const id = (++this.count).toString(16).padStart(8, "0");
    const parentId = this.entries.at(-1)?.id ?? null;
    this.entries.push({ id, parentId, timestamp: new Date(0).toISOString(), ...fields });
    return id;
  }

  say(role: string): string {
    return this.add({ type: "message", message: { role } });
  }

  /** One prompt that takes some turns, each but the last with a tool, in the order of Pi 1.6. */
  async prompt(turns: number, tool: () => Promise<void> | void = () => {}): Promise<void> {
    await this.emit("before_agent_start", {});
    for (let turn = 0; turn < turns; turn++) {
      await this.emit("turn_start", { turnIndex: turn });
      if (turn === 0) this.say("user");
      const messageEntryId = this.say("assistant");
      if (turn < turns - 1) {
        await this.emit("tool_call", {});
        await tool();
        this.say("toolResult");
      }
      await this.emit("turn_end", { messageEntryId });
    }
    await this.emit("agent_end", {});
  }

  private live<T>(value: T): T {
    if (this.stale) throw new Error("This extension ctx is stale after session replacement or reload.");
    return value;
  }
}
