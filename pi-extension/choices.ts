// SPDX-License-Identifier: Apache-2.0

// The menus. What can be chosen and what it does the engine says; here it is only shown, and asked.

import { type Context, type DialogOptions, modeOf } from "./pi.ts";
import type { Request, Session } from "./session.ts";
import { list } from "./status.ts";
import type { Turns } from "./turns.ts";
import type { Answer } from "./varve.ts";

const SETTLE_MS = 10_000;

/** What a tool changes while files are restored would be lost, or would stay. */
export const AT_WORK = "Rewind: the agent is at work, and its tools may change files.";

interface Option {
  id: string;
  label: string;
  preview: string | undefined;
  confirm: string | undefined;
}

/**
 * Asks the engine for a menu, the user for a choice, and the engine to do it.
 *
 * @returns what Pi is to be told: to stay where it is, or nothing
 */
export async function offer(
  session: Session,
  turns: Turns,
  asked: Request & { entry: string },
  menu: "fork" | "tree",
  timeoutMs: number,
): Promise<{ cancel: true } | undefined> {
  const status = session.status;
  await session.settled(SETTLE_MS);
  await session.open();
  await session.deciding;
  const offered = await status.busy(session.context, "◆ comparing files …", session.ask(asked, { refusal: "always" }));
  if (!offered?.ok) return undefined; // without Rewind Pi does what it does without Rewind
  const option = await choice(session, turns, offered, timeoutMs);
  const chosen = option === undefined ? {} : { option: option.id };
  const manner = option?.preview === undefined ? {} : { touching: option.preview };
  const choosing = session.ask(
    { do: "choose", menu, entry: asked.entry, ...chosen },
    { again: false, refusal: "always", ...manner },
  );
  const done = await status.busy(session.context, "◆ restoring files …", choosing);
  if (option === undefined) return { cancel: true };
  // No answer: it is not known how far a restore came. The conversation stays where it is.
  return done?.ok && done.cancel !== true ? undefined : { cancel: true };
}

/** The chosen option; undefined if the user wants none of it. */
async function choice(session: Session, turns: Turns, menu: Answer, timeoutMs: number): Promise<Option | undefined> {
  const ctx = session.context;
  const options = list(menu.options).map(optionOf);
  const otherwise = options.find((each) => each.id === menu.default);
  const mode = modeOf(ctx);
  if (menu.ask !== true || mode === "silent") return otherwise;
  if (turns.isAtWork(ctx)) {
    session.status.say(ctx, `${AT_WORK} The files stay as they are.`, "warning");
    return otherwise;
  }
  const how = mode === "rpc" ? { timeout: timeoutMs } : undefined;
  const began = performance.now();
  const label = await ctx.ui.select(
    [String(menu.title), ...previews(options)].join("\n"),
    options.map((option) => option.label),
    how,
  );
  const option = options.find((each) => each.label === label);
  if (!option) return how && performance.now() - began >= timeoutMs - 5 ? otherwise : undefined;
  return option.confirm === undefined || (await confirmed(ctx, option.label, option.confirm, how)) ? option : undefined;
}

/** One of some labels; undefined if dismissed, or if nobody answers. */
export function pick(ctx: Context, title: string, labels: string[], timeoutMs: number): Promise<string | undefined> {
  return ctx.ui.select(title, labels, modeOf(ctx) === "rpc" ? { timeout: timeoutMs } : undefined);
}

export function confirmed(ctx: Context, title: string, text: string, how: DialogOptions | undefined): Promise<boolean> {
  return ctx.ui.confirm(title, text, how);
}

/** The labels are fixed, so what they would do stands above them; options that would do the same share a line. */
function previews(options: Option[]): string[] {
  const lines = new Map<string, string[]>();
  for (const { label, preview } of options) {
    if (preview === undefined) continue;
    lines.set(preview, [...(lines.get(preview) ?? []), label.replace(/ \(.*/, "")]);
  }
  return [...lines].map(([preview, labels]) => `${labels.join(", ")}: ${preview}`);
}

function optionOf(value: unknown): Option {
  const { id, label, preview, confirm } = value as Record<string, unknown>;
  return {
    id: String(id),
    label: String(label),
    preview: typeof preview === "string" ? preview : undefined,
    confirm: typeof confirm === "string" ? confirm : undefined,
  };
}
