// SPDX-License-Identifier: Apache-2.0

// One session of Pi as the engine is told of it: requests one after the other, what the answers want done, and what happens when the
// engine dies. Nothing here throws: without Rewind Pi is still Pi.

import { existsSync } from "node:fs";
import type { Context, Entry, Pi } from "./pi.ts";
import { list, type Status } from "./status.ts";
import { type Answer, NoAnswer, type Varve } from "./varve.ts";

export type Request = { do: string } & Record<string, unknown>;

/** How a session began, as Pi says it. */
export interface Begin {
  reason: string;
  previousFile: string | undefined;
}

export interface Manner {
  keep?: () => boolean;
  again?: boolean;
  /** Files that the request changes, in words: they may be half changed if the engine dies. That is always said. */
  touching?: string;
  /** Who says that the request was refused: this, but not the same sentence again; this, each time; or the caller. */
  refusal?: "once" | "always" | "caller";
  /** How long the request may wait for Pi to do its own work first; as soon as somebody waits for answers, it waits no more. */
  afterMs?: number;
}

const DEATHS_MAX = 3; // in a row; what dies at once each time is not helped by another start
const ENTRIES_MAX = 20_000; // about 3 MB; only a session without a file can have more untold

export class Session {
  private tail: Promise<unknown> = Promise.resolve();
  private unsettled = 0;
  private opened = -1; // the start of the engine that knows this session
  private told = 0; // how many of Pi's entries the engine knows
  private deaths = 0;
  private waiters = 0;
  private hurry = (): void => {};
  private restarted = false; // and that was said
  private over = false;
  private off = false;
  /** Why nothing is asked any more. */
  reason: string | undefined;
  /** The question about a restore that broke off, if it is open. */
  deciding: Promise<void> = Promise.resolve();
  /** True while the user's own word settles a restore that broke off: then there is no question. */
  settling = false;

  private readonly pi: Pi;
  private ctx: Context;
  readonly varve: Varve;
  readonly status: Status;
  private readonly begin: Begin;
  private readonly opening: (answer: Answer) => void;

  /** `opening` is given the answer to each `session`, also after a restart. */
  constructor(
    pi: Pi,
    ctx: Context,
    varve: Varve,
    status: Status,
    begin: Begin,
    opening: (answer: Answer) => void,
  ) {
    this.pi = pi;
    this.ctx = ctx;
    this.varve = varve;
    this.status = status;
    this.begin = begin;
    this.opening = opening;
  }

  /** Each event brings a context; the last one is good for the longest. */
  at(ctx: Context): this {
    this.ctx = ctx;
    return this;
  }

  get context(): Context {
    return this.ctx;
  }

  get busy(): boolean {
    return this.unsettled > 0;
  }

  /** Entries that Pi has and the engine was not told of. */
  untold(): Entry[] {
    return this.ctx.sessionManager.getEntries().slice(this.told);
  }

  /**
   * Asks when all that was asked before is answered. What the session looks like is what it looks like now.
   *
   * `keep` false throws away what the answer wants appended, because it came too late. A request that may not be done twice has
   * `again` false.
   *
   * @returns undefined if there is no answer; the user has been told
   */
  ask(request: Request, manner: Manner = {}): Promise<Answer | undefined> {
    if (this.over || this.off) return Promise.resolve(undefined);
    const whole = { ...request, ...this.facts() };
    return this.queue(async () => {
      if (manner.afterMs) await this.pause(manner.afterMs);
      return this.exchange(whole, manner);
    });
  }

  /** Makes the engine know this session, if it does not yet. */
  async open(): Promise<void> {
    await this.queue(() => this.attempt(async () => {}, {}));
  }

  /** Changes whenever something more is asked. */
  get mark(): unknown {
    return this.tail;
  }

  /** Waits until all is answered that was asked up to now. @returns false if the limit or the signal came first */
  async settled(limitMs: number, signal?: AbortSignal): Promise<boolean> {
    let enough = () => {};
    const late = new Promise<boolean>((resolve) => {
      enough = () => resolve(false);
    });
    const timer = setTimeout(enough, limitMs);
    this.waiters++;
    this.hurry();
    signal?.addEventListener("abort", enough);
    if (signal?.aborted) enough();
    try {
      return await Promise.race([this.tail.then(() => true), late]);
    } finally {
      this.waiters--;
      clearTimeout(timer);
      signal?.removeEventListener("abort", enough);
    }
  }

  /** From now on neither Pi nor its context may be touched: they belong to a session that is no more. */
  end(): void {
    this.over = true;
  }

  private facts(): { leaf: string | null; entries: object[] } {
    const entries = this.untold();
    this.told += entries.length;
    return {
      leaf: this.ctx.sessionManager.getLeafId(),
      entries: entries.slice(-ENTRIES_MAX).map(short),
    };
  }

  private async pause(ms: number): Promise<void> {
    if (this.waiters > 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private queue<T>(job: () => Promise<T | undefined>): Promise<T | undefined> {
    this.unsettled++;
    const done = this.tail.then(job).catch((e: unknown) => {
      if (!this.over) this.status.once(this.ctx, `Rewind: ${e instanceof Error ? e.message : String(e)}`, "error");
      return undefined;
    });
    this.tail = done.then(() => this.unsettled--);
    return done;
  }

  private async exchange(request: Request, manner: Manner): Promise<Answer | undefined> {
    const answer = await this.attempt(() => this.varve.ask(request), manner);
    if (answer === undefined || this.over) return undefined;
    if (!answer.ok) {
      const text = `Rewind: ${answer.error}`;
      if (manner.refusal === "always") this.status.say(this.ctx, text, "warning");
      else if (manner.refusal !== "caller") this.status.once(this.ctx, text, "warning");
      return answer;
    }
    if (manner.keep?.() ?? true) this.append(answer);
    this.status.show(this.ctx, answer);
    return answer;
  }

  /** Does a thing with an engine that knows this session. If it dies meanwhile: once more with the next one, if that is allowed. */
  private async attempt<T>(what: () => Promise<T>, { again = true, touching }: Manner): Promise<T | undefined> {
    for (let tries = 0; !this.off && !this.over; tries++) {
      let asked = false;
      try {
        if (!(await this.known())) return undefined;
        asked = true;
        const answer = await what();
        this.deaths = 0;
        return answer;
      } catch (e) {
        if (!(e instanceof NoAnswer)) throw e;
        if (this.over) return undefined;
        this.died(e, asked ? touching : undefined);
        if (!again || tries === 1) return undefined;
      }
    }
    return undefined;
  }

  private async known(): Promise<boolean> {
    if (this.varve.running && this.varve.starts === this.opened) return true;
    if (this.opened !== -1) this.restarts(this.varve.end);
    this.varve.start();
    const start = this.varve.starts;
    const answer = await this.varve.ask(this.introduction(this.opened === -1 ? this.begin.reason : "restart"));
    if (this.over) return false;
    if (!answer.ok) {
      this.off = true;
      const old = answer.status === 2 && /there is no 'session'/.test(answer.error ?? "");
      this.reason = old ? "this varve is older than the extension" : answer.error;
      this.status.once(this.ctx, `Rewind is off: ${this.reason}.`, "warning");
      return false;
    }
    this.opened = start;
    this.append(answer);
    this.status.show(this.ctx, answer);
    this.opening(answer);
    if (answer.enabled !== true) {
      this.off = true;
      this.reason = typeof answer.why === "string" ? answer.why : "the engine keeps no snapshots of this folder";
      this.varve.close();
    }
    return !this.off;
  }

  private introduction(reason: string): Request {
    const session = this.ctx.sessionManager;
    const file = session.getSessionFile() ?? null;
    this.told = 0;
    const facts = this.facts();
    const settings = (this.pi.getSettings?.() as { rewind?: unknown } | undefined)?.rewind;
    return {
      do: "session",
      session_file: file,
      session_id: session.getSessionId(),
      // Before 0.75 a fork of the first prompt has no link to its parent, and only the event tells.
      parent_file:
        session.getHeader()?.parentSession ?? (this.begin.reason === "fork" ? this.begin.previousFile : undefined) ?? null,
      previous_file: this.begin.previousFile ?? null,
      reason,
      leaf: facts.leaf,
      ...(file !== null && existsSync(file) ? {} : { entries: facts.entries }),
      ...(typeof settings === "object" && settings !== null ? { settings } : {}),
      ...(this.ctx.isProjectTrusted?.() === false ? { trusted: false } : {}),
    };
  }

  private append(answer: Answer): void {
    for (const each of list(answer.append)) {
      const { customType, data } = each as { customType?: unknown; data?: unknown };
      if (typeof customType !== "string" || !customType.startsWith("rewind-")) continue;
      this.pi.appendEntry(customType, data);
    }
  }

  private died(why: NoAnswer, touching: string | undefined): void {
    this.deaths++;
    const gone = why.missing || this.deaths === DEATHS_MAX;
    if (gone) {
      this.off = true;
      this.reason = `varve does not run: ${why.message}`;
      this.status.footer(this.ctx, undefined);
    }
    if (touching !== undefined) {
      const ends = gone
        ? "In a terminal, `varve rewind restore --finish` ends the restore and `--roll-back` takes it back."
        : "`/rewind finish` ends the restore, `/rewind roll-back` takes it back.";
      const text = `Rewind's engine stopped (${why.message}) while it restored files. Some may be changed and others not yet: ${touching.replace(/\.$/, "")}. ${ends}`;
      this.status.say(this.ctx, text, "error");
    } else if (gone) {
      this.status.once(this.ctx, `Rewind is off in this session: ${this.reason}.`, "error");
    } else {
      this.restarts(why.message);
    }
  }

  private restarts(why: string): void {
    if (this.restarted) return;
    this.restarted = true;
    this.status.once(this.ctx, `Rewind's engine stopped (${why}); it is started again.`, "warning");
  }
}

/** What the engine wants to know of an entry; contents of messages stay here. */
function short(entry: Entry): object {
  const { type, id, parentId, timestamp, message, customType, data, targetId, label, fromId, firstKeptEntryId } =
    entry;
  const ours = customType?.startsWith("rewind-") ? { customType, data } : {};
  const said = message ? { role: message.role, stopReason: message.stopReason } : {};
  return { type, id, parentId, timestamp, ...said, ...ours, targetId, label, fromId, firstKeptEntryId };
}
