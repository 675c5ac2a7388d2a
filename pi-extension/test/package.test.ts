// SPDX-License-Identifier: Apache-2.0

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { FakePi } from "./fake-pi.ts";

const HERE = join(dirname(fileURLToPath(import.meta.url)), "..");

/** The package as npm publishes it, unpacked where nothing of Varve is near. */
function unpacked(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "package "));
  t.after(() => rmSync(folder, { recursive: true }));
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: HERE });
  const file = readdirSync(folder).find((name) => name.endsWith(".tgz"))!;
  execFileSync("tar", ["-xzf", join(folder, file), "-C", folder]);
  return join(folder, "package");
}

test("the package has every file that its files import, its licence and its page, and no test", (t) => {
  const folder = unpacked(t);
  const files = readdirSync(folder);

  for (const file of files.filter((name) => name.endsWith(".ts"))) {
    for (const [, name] of readFileSync(join(folder, file), "utf8").matchAll(/from "\.\/([^"]+)"/g)) {
      assert.ok(existsSync(join(folder, name!)), `${file} imports ${name}`);
    }
  }
  assert.deepEqual(files.filter((name) => !name.endsWith(".ts")).sort(), ["LICENSE", "README.md", "package.json"]);
  const described = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  assert.ok(existsSync(join(folder, described.pi.extensions[0])));
  assert.equal(described.private, undefined);
});

test("the package finds varve on the PATH, and where there is none says how to get it", async (t) => {
  const folder = unpacked(t);
  const { findCommand, readSettings } = await import(join(folder, "command.ts"));
  const bin = join(dirname(folder), "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "varve"), "#!/bin/sh\n", { mode: 0o755 });

  assert.deepEqual(findCommand(readSettings({}, {}), { PATH: bin }), [join(bin, "varve")]);

  const path = process.env.PATH;
  delete process.env.VARVE;
  process.env.PATH = folder;
  t.after(() => (process.env.PATH = path));
  delete (globalThis as Record<symbol, unknown>)[Symbol.for("dev.varve.rewind.told")];
  const pi = new FakePi("tui", {}, dirname(folder));
  (await import(join(folder, "index.ts"))).default(pi.api());
  await pi.emit("session_start", { reason: "startup" });
  assert.equal(pi.said.length, 1);
  assert.match(pi.said[0]!, /no `varve` on the PATH.*README/);
});
