// SPDX-License-Identifier: Apache-2.0

// Rewind for Pi: the hooks. Each tells the engine what happened; what follows from it the engine decides.

import { offer } from "./choices.ts";
import { findCommand, readSettings, type Settings } from "./command.ts";
import type { Pi } from "./pi.ts";
import { claim, leave, release, take } from "./resident.ts";
import { rewindCommand, settleBegun } from "./rewind.ts";
import { Session } from "./session.ts";
import { Status } from "./status.ts";
import { Turns } from "./turns.ts";

const OPEN_MS = 5_000; // a fork's first record comes with the answer; a JVM that starts takes about one second
const LAST_MS = 5_000;
const GOODBYE_MS = 2_000;

interface Running {
  session: Session;
  turns: Turns;
  settings: Settings;
  command: string[];
}

export default function rewind(pi: Pi): void {
  let running: Running | undefined;
  const self = {};

  pi.on("session_start", async (event, ctx) => {
    if (running) return; // old versions tell it twice in RPC mode
    const status = new Status();
    if (!claim(self)) {
      status.say(ctx, "Rewind is installed twice; this copy does nothing. `pi list` and the extensions folder show where.", "warning");
      return;
    }
    const settings = readSettings(pi.getSettings?.(), process.env);
    const command = findCommand(settings, process.env);
    if (!command) {
      const remedy = "install Varve as the README beside the extension says, or set VARVE, or rewind.command in Pi's settings";
      status.say(ctx, `Rewind is off: there is no \`varve\` on the PATH; ${remedy}.`, "warning");
      return;
    }
    const varve = take(command, ctx.cwd, process.env);
    const begin = { reason: event.reason ?? "startup", previousFile: event.previousSessionFile };
    const session: Session = new Session(pi, ctx, varve, status, begin, (answer) => {
      session.deciding = settleBegun(session, answer, settings.dialogTimeoutMs);
    });
    running = { session, turns: new Turns(session), settings, command };
    void session.open();
    if (begin.reason === "fork") await session.settled(OPEN_MS);
  });

  pi.on("before_agent_start", (_event, ctx) => {
    running?.session.at(ctx);
    running?.turns.prompt();
  });
  pi.on("turn_start", (event, ctx) => {
    running?.session.at(ctx);
    running?.turns.turnStart(event.turnIndex);
  });
  pi.on("tool_call", async (_event, ctx) => {
    await running?.turns.gate(ctx);
  });
  pi.on("user_bash", async (_event, ctx) => {
    await running?.turns.gate(ctx); // what people run changes files as tools do
    running?.turns.shell(ctx);
  });
  pi.on("turn_end", (event, ctx) => {
    running?.session.at(ctx);
    running?.turns.turnEnd(event.messageEntryId);
  });
  pi.on("agent_end", async (_event, ctx) => {
    running?.session.at(ctx);
    await running?.turns.agentEnd();
  });

  pi.on("session_before_fork", (event, ctx) => {
    if (!running) return undefined;
    const asked = { do: "fork_choices", entry: event.entryId, position: event.position ?? "before" };
    return offer(running.session.at(ctx), running.turns, asked, "fork", running.settings.dialogTimeoutMs);
  });
  pi.on("session_before_tree", (event, ctx) => {
    if (!running) return undefined;
    const asked = { do: "tree_choices", entry: event.preparation.targetId };
    return offer(running.session.at(ctx), running.turns, asked, "tree", running.settings.dialogTimeoutMs);
  });
  pi.on("session_tree", async (event, ctx) => {
    await running?.session.at(ctx).ask({
      do: "tree_done",
      summary_entry: event.summaryEntry?.id ?? null,
    });
  });
  pi.on("session_compact", async (event, ctx) => {
    const session = running?.session.at(ctx);
    void session?.ask({ do: "compacted", entry: event.compactionEntry.id });
    await session?.settled(GOODBYE_MS);
  });

  pi.on("session_shutdown", async (event, ctx) => {
    release(self);
    if (!running) return;
    const { session, turns, command } = running;
    running = undefined;
    session.at(ctx);
    turns.finish();
    await session.settled(LAST_MS);
    const replaced = event.reason === "fork" || event.reason === "new" || event.reason === "resume";
    if (session.varve.running) {
      void session.ask({ do: "shutdown", reason: event.reason ?? "quit" });
      await session.settled(GOODBYE_MS);
    }
    session.end();
    if (replaced && session.varve.running) leave(session.varve, command);
    else session.varve.close();
  });

  rewindCommand(pi, () => running);
}
