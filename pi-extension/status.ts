// SPDX-License-Identifier: Apache-2.0

// The footer, and what is said to the user. Nothing is said where nobody looks (print and JSON mode).

import { type Context, type Level, modeOf } from "./pi.ts";
import type { Answer } from "./varve.ts";

const KEY = "rewind";
const SHOW_MS = 400;
const TOLD = Symbol.for("dev.varve.rewind.told");

export class Status {
  private shown: string | undefined;
  /** The number of sentences that were said. */
  spoken = 0;

  /** Shows what an answer brought for the footer and for the user. */
  show(ctx: Context, answer: Answer): void {
    if ("status" in answer && typeof answer.status !== "number") {
      this.footer(ctx, typeof answer.status === "string" ? answer.status : undefined);
    }
    for (const notice of list(answer.notices)) {
      const { level, text } = notice as { level?: unknown; text?: unknown };
      if (typeof text === "string") this.say(ctx, text, isLevel(level) ? level : "info");
    }
  }

  footer(ctx: Context, text: string | undefined): void {
    this.shown = text;
    if (modeOf(ctx) !== "silent") ctx.ui.setStatus(KEY, text);
  }

  /** Waits, and says in the footer for what if it takes long enough to be noticed. */
  async busy<T>(ctx: Context, text: string, waiting: Promise<T>): Promise<T> {
    let slow = false;
    const timer = setTimeout(() => {
      slow = true;
      if (modeOf(ctx) !== "silent") ctx.ui.setStatus(KEY, text);
    }, SHOW_MS);
    try {
      return await waiting;
    } finally {
      clearTimeout(timer);
      if (slow) this.footer(ctx, this.shown);
    }
  }

  say(ctx: Context, text: string, level: Level): void {
    this.spoken++;
    if (modeOf(ctx) !== "silent") ctx.ui.notify(text, level);
  }

  /** What would else be said at every turn, or again in each fork, is said once while Pi runs. */
  once(ctx: Context, text: string, level: Level): void {
    const all = globalThis as { [TOLD]?: Set<string> };
    const told = (all[TOLD] ??= new Set());
    if (told.has(text)) return;
    told.add(text);
    this.say(ctx, text, level);
  }
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isLevel(level: unknown): level is Level {
  return level === "info" || level === "warning" || level === "error";
}
