// SPDX-License-Identifier: Apache-2.0

// Pi loads this extension anew for every session: after a fork, a new session, a resume, a reload. The engine need not start anew with it:
// the old module leaves it here, and the new one takes it, if it works in the same folder.

import { Varve } from "./varve.ts";

interface Left {
  varve: Varve;
  key: string;
  timer: NodeJS.Timeout;
}

const PLACE = Symbol.for("dev.varve.rewind.left");
const KEPT_MS = 10_000;

const HOLDER = Symbol.for("dev.varve.rewind.holder");

/** Two copies of this extension in one Pi would write each record twice. Only one of them holds this. */
export function claim(who: object): boolean {
  const all = globalThis as { [HOLDER]?: object | undefined };
  all[HOLDER] ??= who;
  return all[HOLDER] === who;
}

export function release(who: object): void {
  const all = globalThis as { [HOLDER]?: object | undefined };
  if (all[HOLDER] === who) all[HOLDER] = undefined;
}

function place(): { [PLACE]?: Left | undefined } {
  return globalThis as { [PLACE]?: Left | undefined };
}

export function take(command: string[], cwd: string, env: NodeJS.ProcessEnv): Varve {
  const left = place()[PLACE];
  place()[PLACE] = undefined;
  if (left) {
    clearTimeout(left.timer);
    if (left.key === keyOf(command, cwd)) return left.varve;
    left.varve.close();
  }
  return new Varve(command, cwd, env);
}

export function leave(varve: Varve, command: string[]): void {
  const timer = setTimeout(() => {
    if (place()[PLACE]?.varve === varve) place()[PLACE] = undefined;
    varve.close();
  }, KEPT_MS);
  timer.unref();
  place()[PLACE] = { varve, key: keyOf(command, varve.cwd), timer };
}

function keyOf(command: string[], cwd: string): string {
  return JSON.stringify([command, cwd]);
}
