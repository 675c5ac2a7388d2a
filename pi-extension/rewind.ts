// SPDX-License-Identifier: Apache-2.0

// The command `/rewind`: files back and forth without moving the conversation. And what is asked when a restore had broken off.

import { AT_WORK, confirmed, pick } from "./choices.ts";
import type { Settings } from "./command.ts";
import { type Context, modeOf, type Pi } from "./pi.ts";
import { labelOf } from "./point.ts";
import type { Manner, Request, Session } from "./session.ts";
import { list } from "./status.ts";
import type { Turns } from "./turns.ts";
import type { Answer } from "./varve.ts";

const UNDO = "Undo last file rewind";
const REDO = "Redo last undone file rewind";
const SHOWN_PATHS = 15;
const PAGE = 100;
const WORDS = ["undo", "redo", "finish", "roll-back"];
const SHELL = "A shell command may still run: files that it writes meanwhile are not brought back.";

interface Running {
  session: Session;
  turns: Turns;
  settings: Settings;
}

interface Wanted {
  option: string;
  entry?: unknown;
}

export function rewindCommand(pi: Pi, running: () => Running | undefined): void {
  pi.registerCommand("rewind", {
    description: "Bring files back to an earlier point; /rewind undo, redo, finish, roll-back, or words of a point",
    getArgumentCompletions: (prefix) => {
      const words = WORDS.filter((word) => word.startsWith(prefix));
      return words.length === 0 ? null : words.map((word) => ({ value: word, label: word }));
    },
    handler: async (args, ctx) => {
      const now = running();
      if (modeOf(ctx) === "silent") return;
      if (!now) {
        ctx.ui.notify("Rewind is off: see docs/pi-extension.md of Varve.", "warning");
        return;
      }
      const session = now.session.at(ctx);
      if (now.turns.isAtWork(ctx)) {
        session.status.say(ctx, `${AT_WORK} Wait for its end, or press Escape.`, "warning");
        return;
      }
      const word = args.trim();
      if (word === "finish") await settleByWord(session, ctx, "finish");
      else if (word === "roll-back") await settleByWord(session, ctx, "roll_back");
      else {
        await session.open();
        await session.deciding;
        const what = word === "undo" || word === "redo" ? { option: word } : await menu(session, ctx, word, now.settings.dialogTimeoutMs);
        if (what) await back(now, ctx, what);
      }
    },
  });
}

/** Lets the user choose a point, a page at a time. With words, only points that have all of them are shown. */
async function menu(session: Session, ctx: Context, words: string, timeoutMs: number): Promise<Wanted | undefined> {
  const entries = new Map(ctx.sessionManager.getEntries().map((entry) => [entry.id, entry]));
  const known = await answered(session, ctx, { do: "points", limit: entries.size });
  if (!known?.ok) {
    if (known) session.status.say(ctx, `Rewind: ${known.error}`, "warning");
    return undefined;
  }
  const wanted = words.toLowerCase().split(/\s+/);
  const labels = new Map<string, unknown>();
  for (const point of list(known.list) as Record<string, unknown>[]) {
    const label = labelOf(point, entries.get(String(point.entry)));
    if (wanted.every((word) => label.toLowerCase().includes(word))) labels.set(label, point.entry);
  }
  const backwards = words !== "" ? [] : [...(known.undo === true ? [UNDO] : []), ...(known.redo === true ? [REDO] : [])];
  if (backwards.length + labels.size === 0) {
    session.status.say(ctx, `Rewind: ${words === "" ? none(ctx, known) : `no point has the words "${words}".`}`, "info");
    return undefined;
  }
  const title = ["Rewind files to …", ...elsewhere(known)].join("\n");
  const chosen = await paged(ctx, title, backwards, [...labels.keys()], timeoutMs);
  if (chosen === undefined) return undefined;
  return chosen === UNDO ? { option: "undo" } : chosen === REDO ? { option: "redo" } : { option: "restore", entry: labels.get(chosen) };
}

async function paged(ctx: Context, title: string, fixed: string[], labels: string[], timeoutMs: number): Promise<string | undefined> {
  for (let from = 0; ; ) {
    const older = labels.length - from - PAGE;
    const toOlder = `… ${older} older`;
    const toNewer = `… ${from} newer`;
    const shown = [
      ...(from === 0 ? fixed : [toNewer]),
      ...labels.slice(from, from + PAGE),
      ...(older > 0 ? [toOlder] : []),
    ];
    const chosen = await pick(ctx, title, shown, timeoutMs);
    if (chosen === toOlder) from += PAGE;
    else if (chosen === toNewer) from -= PAGE;
    else return chosen;
  }
}

/** Why there is no point, and what will make one. */
function none(ctx: Context, answer: Answer): string {
  const others = elsewhere(answer);
  if (others.length > 0) return `no point is of this worktree. ${others.join(" ")}`;
  const prompted = ctx.sessionManager.getEntries().some((entry) => entry.message?.role === "user");
  return prompted
    ? "of no entry on this branch are the files known. The next prompt makes a point."
    : "there is no point yet. The first prompt makes one.";
}

function elsewhere(answer: Answer): string[] {
  return (list(answer.elsewhere) as Record<string, unknown>[]).map((each) => {
    return each.points === 1 ? `1 point is of the worktree '${each.worktree}'.` : `${each.points} points are of the worktree '${each.worktree}'.`;
  });
}

/** Asks; the caller says why the engine refused, and here is said that there is no engine, if nobody said so. */
async function answered(session: Session, ctx: Context, request: Request, manner: Manner = {}): Promise<Answer | undefined> {
  const before = session.status.spoken;
  const answer = await session.ask(request, { ...manner, refusal: "caller" });
  if (!answer && session.status.spoken === before) {
    session.status.say(ctx, `Rewind is off in this session: ${session.reason ?? "the engine does not answer"}.`, "warning");
  }
  return answer;
}

/** Plan, show, ask, do. */
async function back({ session, turns, settings }: Running, ctx: Context, what: Wanted): Promise<void> {
  const say = session.status.say.bind(session.status, ctx);
  const planned: Request =
    what.option === "restore"
      ? { do: "plan", entry: what.entry, size: true }
      : { do: `plan_${what.option}`, menu: "command", size: true };
  const plan = await session.status.busy(ctx, "◆ comparing files …", answered(session, ctx, planned));
  if (plan?.status === 1 && what.option !== "restore") return say(`Rewind: there is nothing to ${what.option}.`, "info");
  if (!plan?.ok) {
    if (plan) say(`Rewind: ${plan.error}`, "warning");
    return;
  }
  if (plan.changes === 0) return say("Rewind: the files are as they were there.", "info");
  const how = modeOf(ctx) === "rpc" ? { timeout: settings.dialogTimeoutMs } : undefined;
  const text = [String(plan.size), ...lines(plan), ...(turns.shellMayRun(ctx) ? [SHELL] : [])].join("\n");
  if (!(await confirmed(ctx, `Rewind ${plan.changes} ${plan.changes === 1 ? "path" : "paths"}?`, text, how))) return;
  if (turns.isAtWork(ctx)) return say(`${AT_WORK} Nothing was restored.`, "warning");
  const manner = { again: false, touching: lines(plan).join(", ") };
  const choosing = answered(session, ctx, { do: "choose", menu: "command", ...what }, manner);
  const done = await session.status.busy(ctx, "◆ restoring files …", choosing);
  if (done && !done.ok) say(`Rewind: ${done.error}`, "error");
}

function lines(plan: Answer): string[] {
  const paths = (list(plan.paths) as Record<string, unknown>[]).filter((each) => each.action !== "keep");
  const shown = paths.slice(0, SHOWN_PATHS).map((each) => {
    return `${each.action}  ${each.path}${each.edited_since === true ? "  (edited since the last snapshot)" : ""}`;
  });
  return [...shown, ...(paths.length > SHOWN_PATHS ? [`… and ${paths.length - SHOWN_PATHS} more`] : [])];
}

const FINISH = "Finish it";
const ROLL_BACK = "Take it back";

/** A restore that was killed leaves files half here and half there; until that is settled no other can begin. */
export async function settleBegun(session: Session, opened: Answer, timeoutMs: number): Promise<void> {
  const begun = opened.begun as Record<string, unknown> | null | undefined;
  const ctx = session.context;
  if (!begun || typeof begun.kind !== "string" || session.settling || modeOf(ctx) === "silent") return;
  const title = `A ${begun.kind} of ${begun.path_count} files broke off before its end.`;
  const chosen = await pick(ctx, title, [FINISH, ROLL_BACK, "Later"], timeoutMs).catch(() => undefined);
  const act = chosen === FINISH ? "finish" : chosen === ROLL_BACK ? "roll_back" : undefined;
  if (act) await settle(session, act, `${begun.path_count} files`);
  else session.status.say(session.context, "Rewind: `/rewind finish` ends that restore, `/rewind roll-back` takes it back. Until then files are here and there.", "warning");
}

async function settleByWord(session: Session, ctx: Context, act: "finish" | "roll_back"): Promise<void> {
  session.settling = true;
  try {
    await session.status.busy(ctx, "◆ restoring files …", settle(session, act, "those of the restore that broke off"));
  } finally {
    session.settling = false;
  }
}

async function settle(session: Session, act: "finish" | "roll_back", touching: string): Promise<void> {
  const done = await answered(session, session.context, { do: act }, { again: false, touching });
  if (!done) return;
  if (done.status === 1) return session.status.say(session.context, "Rewind: no restore broke off.", "info");
  const exact = done.ok && done.exact === true;
  const text = exact ? "Rewind: done; every file is as it was to be." : `Rewind: ${done.error ?? "not every file is as it was to be"}`;
  session.status.say(session.context, text, exact ? "info" : "error");
}
