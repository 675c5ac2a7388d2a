// SPDX-License-Identifier: Apache-2.0

// What this extension sees of Pi, the same in 0.65 and in 1.6. It imports neither package: they have different names, and only
// types would come from them. A field that a version lacks is optional here.

/** What Pi appends to a session. Only fields that the engine wants to know of. */
export interface Entry {
  type: string;
  id: string;
  parentId: string | null;
  timestamp: string;
  message?: { role: string; stopReason?: string; content?: unknown };
  summary?: unknown; // of a compaction or a branch
  customType?: string;
  data?: unknown;
  targetId?: string;
  label?: string;
  fromId?: string;
  firstKeptEntryId?: string;
}

export interface SessionView {
  getSessionId(): string;
  getSessionFile(): string | undefined;
  getHeader(): { parentSession?: string } | null;
  getLeafId(): string | null;
  getEntries(): Entry[];
}

export interface DialogOptions {
  signal?: AbortSignal;
  timeout?: number;
}

export type Level = "info" | "warning" | "error";

export interface Ui {
  select(title: string, options: string[], how?: DialogOptions): Promise<string | undefined>;
  confirm(title: string, message: string, how?: DialogOptions): Promise<boolean>;
  notify(message: string, level?: Level): void;
  setStatus(key: string, text: string | undefined): void;
}

export interface Context {
  ui: Ui;
  mode?: "tui" | "rpc" | "json" | "print"; // since 0.78
  hasUI: boolean;
  cwd: string;
  signal?: AbortSignal | undefined; // of the run
  sessionManager: SessionView;
  isProjectTrusted?(): boolean; // since 0.79
  isIdle?(): boolean;
}

export interface Events {
  session_start: { reason?: string; previousSessionFile?: string };
  session_shutdown: { reason?: string };
  session_before_fork: { entryId: string; position?: "before" | "at" };
  session_before_tree: { preparation: { targetId: string } };
  session_tree: { summaryEntry?: { id: string } };
  session_compact: { compactionEntry: { id: string } };
  before_agent_start: object;
  turn_start: { turnIndex: number };
  tool_call: object;
  user_bash: object;
  turn_end: { messageEntryId?: string }; // since 0.87
  agent_end: object;
}

export interface Pi {
  on<E extends keyof Events>(
    event: E,
    handler: (event: Events[E], ctx: Context) => Promise<unknown> | unknown,
  ): unknown;
  appendEntry(customType: string, data?: unknown): void;
  registerCommand(
    name: string,
    command: {
      description: string;
      getArgumentCompletions?(prefix: string): { value: string; label: string }[] | null;
      handler(args: string, ctx: Context): Promise<void>;
    },
  ): void;
  getSettings?(): object; // since 1.0
}

/** How this run of Pi talks to people. Before 0.78 it has to be told from the terminal. */
export function modeOf(ctx: Context): "tui" | "rpc" | "silent" {
  if (!ctx.hasUI) return "silent";
  if (ctx.mode !== undefined) return ctx.mode === "tui" || ctx.mode === "rpc" ? ctx.mode : "silent";
  return process.stdin.isTTY && process.stdout.isTTY ? "tui" : "rpc";
}
