// SPDX-License-Identifier: Apache-2.0

// A folder, a fake Pi with the extension in it, and a fake varve whose log is read at the end.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import rewind from "../index.ts";
import { FakePi } from "./fake-pi.ts";

export const FAKE = fileURLToPath(new URL("fake-varve.mjs", import.meta.url));

type Line = Record<string, unknown>;

export interface Stage {
  pi: FakePi;
  folder: string;
  /** What the engine was asked, so far. */
  asked(): Line[];
  acts(): string[];
  /** A second module in the same process, as after a fork. */
  reload(pi: FakePi): void;
}

export function stage(
  test: TestContext,
  { mode = "tui" as "tui" | "rpc" | "print", plan = {}, settings = {}, command = [process.execPath, FAKE] as unknown } = {},
): Stage {
  const folder = mkdtempSync(join(tmpdir(), "varve-pi-"));
  const log = join(folder, "log");
  process.env.FAKE_LOG = log;
  process.env.FAKE_PLAN = JSON.stringify(plan);
  delete (globalThis as Record<symbol, unknown>)[Symbol.for("dev.varve.rewind.told")]; // each test is a Pi that has just begun
  const pi = new FakePi(mode, { rewind: { command, ...settings } }, folder);
  rewind(pi.api());
  const asked = (): Line[] =>
    existsSync(log)
      ? readFileSync(log, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line) as Line)
      : [];
  test.after(async () => {
    await pi.emit("session_shutdown", { reason: "quit" });
    assert.deepEqual(asked().filter((line) => "violation" in line), []);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return {
    pi,
    folder,
    asked,
    acts: () => asked().map((line) => String(line.do ?? line.violation ?? "end")),
    reload: (next) => rewind(next.api()),
  };
}
