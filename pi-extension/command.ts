// SPDX-License-Identifier: Apache-2.0

// Where the command `varve` is, and what Pi's settings say that must be known before it runs.

import { accessSync, constants, readFileSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Settings {
  /** `rewind.command`: a path or a name, or that and its first arguments; undefined: look for it. */
  command: string[] | undefined;
  /** `rewind.dialogTimeoutMs`: how long a dialog waits in RPC mode, whose other side may never answer. */
  dialogTimeoutMs: number;
}

/** `settings` is Pi's own merged view where it has one; else the user's file is read. A broken file counts as an empty one: Pi tells. */
export function readSettings(settings: object | undefined, env: NodeJS.ProcessEnv): Settings {
  const rewind = member(settings ?? settingsFile(env), "rewind");
  const command = member(rewind, "command");
  const timeout = member(rewind, "dialogTimeoutMs");
  return {
    command:
      typeof command === "string" && command !== ""
        ? [command]
        : Array.isArray(command) && command.length > 0 && command.every((word) => typeof word === "string")
          ? command
          : undefined,
    dialogTimeoutMs: typeof timeout === "number" && timeout >= 1 && timeout <= 86_400_000 ? timeout : 60_000,
  };
}

/** The command's words, or undefined: the setting, `VARVE`, the `PATH`, and Varve's own folder when this one lies in it. */
export function findCommand(settings: Settings, env: NodeJS.ProcessEnv): string[] | undefined {
  if (settings.command) return [expand(settings.command[0]!), ...settings.command.slice(1)];
  if (env.VARVE) return [env.VARVE];
  for (const folder of (env.PATH ?? "").split(delimiter)) {
    if (folder !== "" && runs(join(folder, "varve"))) return [join(folder, "varve")];
  }
  try {
    const beside = join(dirname(realpathSync(fileURLToPath(import.meta.url))), "..", "varve");
    return runs(beside) ? [beside] : undefined;
  } catch {
    return undefined;
  }
}

function settingsFile(env: NodeJS.ProcessEnv): unknown {
  try {
    const folder = env.PI_CODING_AGENT_DIR ? expand(env.PI_CODING_AGENT_DIR) : join(homedir(), ".pi", "agent");
    return JSON.parse(readFileSync(join(folder, "settings.json"), "utf8"));
  } catch {
    return undefined;
  }
}

function member(of: unknown, name: string): unknown {
  return typeof of === "object" && of !== null ? (of as Record<string, unknown>)[name] : undefined;
}

function expand(path: string): string {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
}

function runs(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
