// SPDX-License-Identifier: Apache-2.0

// When snapshots are taken. They are begun where nothing can change files: after a prompt was sent, and at the end of a turn. They go
// on while the model thinks; only the next tool waits for them. A tool that had to run before its snapshot was done makes that snapshot
// worth nothing, and the engine is told so.

import type { Context } from "./pi.ts";
import type { Session } from "./session.ts";

const GATE_MS = 30_000;
const END_MS = 2_000;
const YIELD_MS = 40; // in which Pi asks the model: a snapshot keeps all cores busy, and nothing changes files until a tool runs

export class Turns {
  private late = false;
  private epoch = 0; // counts the gates that were opened too early
  private open = false; // a turn has begun and has not ended
  private running = false; // the agent's run has begun and has not ended; it has one turn or more
  private shells: number | undefined; // results of shell commands when the last one of the user began
  private passed: unknown; // what was asked when a gate was opened too early: it is waited for no more

  private readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  /** True while the agent runs: its tools change files. Pi alone does not say so: it counts as busy for a moment longer, and while
   * it moves in the tree. */
  isAtWork(ctx: Context): boolean {
    return this.running && ctx.isIdle?.() !== true;
  }

  prompt(): void {
    this.open = this.running = true;
    void this.ask({ do: "prompt" });
  }

  turnStart(turn: number): void {
    this.open = this.running = true;
    if (turn === 0) void this.ask({ do: "turn_start", turn });
  }

  /** `assistant` is the entry of what the model said; old versions do not tell, and it is the last one that has been told. */
  turnEnd(assistant: string | undefined): void {
    this.open = false;
    const which = assistant === undefined ? {} : { assistant };
    const late = this.late ? { late: true } : {};
    this.late = false;
    void this.ask({ do: "turn_end", ...which, ...late });
  }

  /** Before a tool runs. */
  async gate(ctx: Context): Promise<void> {
    if (!this.session.busy || this.session.mark === this.passed) return;
    const waiting = this.session.settled(GATE_MS, ctx.signal);
    if (await this.session.status.busy(ctx, "◆ taking a snapshot …", waiting)) return;
    if (ctx.signal?.aborted) return; // the tool does not run
    this.passed = this.session.mark;
    this.epoch++;
    this.late = true;
    this.session.status.once(
      ctx,
      "Rewind: a snapshot took more than 30 seconds, and a tool had to go on. This turn cannot be rewound to exactly.",
      "warning",
    );
  }

  /** A shell command of the user begins. Pi does not say when it ends, but appends what it printed. */
  shell(ctx: Context): void {
    this.shells = shellResults(ctx);
  }

  /** True if the result of the last shell command is not in the session. */
  shellMayRun(ctx: Context): boolean {
    return this.shells !== undefined && shellResults(ctx) <= this.shells;
  }

  /** Before Pi lets the user go on, so that what they do next is in no snapshot of the turn. */
  async agentEnd(): Promise<void> {
    this.open = this.running = false;
    void this.session.ask({ do: "agent_end" });
    await this.session.settled(END_MS);
  }

  /** A turn whose end Pi did not tell: in print mode old versions end first. */
  finish(): void {
    if (this.open && this.session.untold().some((entry) => entry.message?.role === "assistant")) {
      this.turnEnd(undefined);
    }
  }

  private ask(request: { do: string } & Record<string, unknown>): Promise<unknown> {
    const epoch = this.epoch;
    return this.session.ask(request, { keep: () => epoch === this.epoch, afterMs: YIELD_MS });
  }
}

function shellResults(ctx: Context): number {
  return ctx.sessionManager.getEntries().filter((entry) => entry.message?.role === "bashExecution").length;
}
