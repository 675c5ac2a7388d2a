// SPDX-License-Identifier: Apache-2.0

// The command `/rewind`: files back and forth without moving the conversation. And what is asked when a restore had broken off.

import { confirmed, pick } from "./choices.ts";
import type { Settings } from "./command.ts";
import { type Context, type Entry, modeOf, type Pi } from "./pi.ts";
import type { Request, Session } from "./session.ts";
import { list } from "./status.ts";
import type { Answer } from "./varve.ts";

const UNDO = "Undo last file rewind";
const REDO = "Redo last undone file rewind";
const SHOWN_PATHS = 15;
const SHOWN_WORDS = 60;

export function rewindCommand(pi: Pi, running: () => { session: Session; settings: Settings } | undefined): void {
  pi.registerCommand("rewind", {
    description: "Bring files back to an earlier point; /rewind undo, /rewind redo",
    getArgumentCompletions: (prefix) => {
      const words = ["undo", "redo"].filter((word) => word.startsWith(prefix));
      return words.length === 0 ? null : words.map((word) => ({ value: word, label: word }));
    },
    handler: async (args, ctx) => {
      const now = running();
      if (!now) {
        if (modeOf(ctx) !== "silent") ctx.ui.notify("Rewind is off: see docs/pi-extension.md of Varve.", "warning");
        return;
      }
      const session = now.session.at(ctx);
      const word = args.trim();
      if (word === "undo" || word === "redo") await back(session, ctx, { option: word }, now.settings.dialogTimeoutMs);
      else if (word === "") await menu(session, ctx, now.settings.dialogTimeoutMs);
      else session.status.say(ctx, "/rewind, /rewind undo, or /rewind redo", "warning");
    },
  });
}

async function menu(session: Session, ctx: Context, timeoutMs: number): Promise<void> {
  if (modeOf(ctx) === "silent") return;
  const known = await session.ask({ do: "points" });
  const points = list(known?.list) as Record<string, unknown>[];
  const labels = new Map<string, Record<string, unknown>>();
  const entries = new Map(ctx.sessionManager.getEntries().map((entry) => [entry.id, entry]));
  for (const point of points) labels.set(labelOf(point, entries.get(String(point.entry))), point);
  const backwards = [...(known?.undo === true ? [UNDO] : []), ...(known?.redo === true ? [REDO] : [])];
  if (backwards.length + labels.size === 0) {
    session.status.say(ctx, "Rewind: there is no point yet. The first prompt makes one.", "info");
    return;
  }
  const chosen = await pick(ctx, "Rewind files to …", [...backwards, ...labels.keys()], timeoutMs);
  if (chosen === undefined) return;
  const entry = labels.get(chosen)?.entry;
  const what = chosen === UNDO ? { option: "undo" } : chosen === REDO ? { option: "redo" } : { option: "restore", entry };
  await back(session, ctx, what, timeoutMs);
}

/** When, who, the first words, and the entry's id, which makes it unlike every other. */
function labelOf(point: Record<string, unknown>, entry: Entry | undefined): string {
  const at = new Date(String(point.at)).toLocaleString("sv-SE"); // the ISO form, in local time
  return [at, point.role, wordsOf(entry), `(${point.entry})`].filter((word) => word !== "").join("  ");
}

function wordsOf(entry: Entry | undefined): string {
  const content = entry?.message?.content;
  const texts = typeof content === "string" ? [content] : list(content).map((block) => (block as { text?: unknown } | null)?.text);
  const text = texts.find((each) => typeof each === "string") as string | undefined;
  return (text ?? "").slice(0, 1000).replace(/\s+/g, " ").trim().slice(0, SHOWN_WORDS);
}

/** Plan, show, ask, do. */
async function back(
  session: Session,
  ctx: Context,
  what: { option: string; entry?: unknown },
  timeoutMs: number,
): Promise<void> {
  const planned: Request =
    what.option === "restore" ? { do: "plan", entry: what.entry } : { do: `plan_${what.option}`, menu: "command" };
  const plan = await session.ask(planned);
  if (plan && plan.status === 1 && what.option !== "restore") {
    session.status.say(ctx, `Rewind: there is nothing to ${what.option}.`, "info");
    return;
  }
  if (!plan?.ok) {
    if (plan) session.status.say(ctx, `Rewind: ${plan.error}`, "warning");
    return;
  }
  if (plan.changes === 0) {
    session.status.say(ctx, "Rewind: the files are as they were there.", "info");
    return;
  }
  const how = modeOf(ctx) === "rpc" ? { timeout: timeoutMs } : undefined;
  if (modeOf(ctx) === "silent" || !(await confirmed(ctx, `Rewind ${plan.changes} files?`, lines(plan), how))) return;
  const choosing = session.ask({ do: "choose", menu: "command", ...what }, { again: false });
  const done = await session.status.busy(ctx, "◆ restoring files …", choosing);
  if (done && !done.ok) session.status.say(ctx, `Rewind: ${done.error}`, "error");
}

function lines(plan: Answer): string {
  const paths = (list(plan.paths) as Record<string, unknown>[]).filter((each) => each.action !== "keep");
  const shown = paths.slice(0, SHOWN_PATHS).map((each) => {
    return `${each.action}  ${each.path}${each.edited_since === true ? "  (edited since the last snapshot)" : ""}`;
  });
  return [...shown, ...(paths.length > SHOWN_PATHS ? [`… and ${paths.length - SHOWN_PATHS} more`] : [])].join("\n");
}

const FINISH = "Finish it";
const ROLL_BACK = "Take it back";

/** A restore that was killed leaves files half here and half there; until that is settled no other can begin. */
export async function settleBegun(session: Session, opened: Answer, timeoutMs: number): Promise<void> {
  const begun = opened.begun as Record<string, unknown> | null | undefined;
  const ctx = session.context;
  if (!begun || typeof begun.kind !== "string" || modeOf(ctx) === "silent") return;
  const title = `A ${begun.kind} of ${begun.path_count} files broke off before its end.`;
  const chosen = await pick(ctx, title, [FINISH, ROLL_BACK, "Later"], timeoutMs).catch(() => undefined);
  const act = chosen === FINISH ? "finish" : chosen === ROLL_BACK ? "roll_back" : undefined;
  if (!act) return;
  const done = await session.ask({ do: act }, { again: false });
  if (!done) return;
  const exact = done.ok && done.exact === true;
  const text = exact ? "Rewind: done; every file is as it was to be." : `Rewind: ${done.error ?? "not every file is as it was to be"}`;
  session.status.say(session.context, text, exact ? "info" : "error");
}
