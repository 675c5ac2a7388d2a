// SPDX-License-Identifier: Apache-2.0

// What is in a worktree at a moment, and in its repository, taken without Rewind and without git's index being written.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

const sha = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);
const SLASH = Buffer.from("/");

/** Every file, link and folder but the repository's own, byte for byte: name to kind, permissions, content. */
export function look(folder) {
  const found = {};
  const walk = (path, name) => {
    for (const child of readdirSync(path, { encoding: "buffer" })) {
      if (name.length === 0 && child.toString() === ".git") continue;
      const at = Buffer.concat([path, SLASH, child]);
      const called = name.length === 0 ? child : Buffer.concat([name, SLASH, child]);
      const stat = lstatSync(at);
      const key = called.toString("latin1");
      if (stat.isSymbolicLink()) found[key] = `link ${readlinkSync(at, { encoding: "buffer" }).toString("latin1")}`;
      else if (stat.isDirectory()) {
        found[`${key}/`] = "folder";
        walk(at, called);
      } else found[key] = `file ${(stat.mode & 0o7777).toString(8)} ${sha(readFileSync(at))} ${stat.size}`;
    }
  };
  walk(Buffer.from(folder), Buffer.alloc(0));
  return found;
}

export function git(folder, ...words) {
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_CONFIG_NOSYSTEM: "1" };
  const identity = ["-c", "user.name=t", "-c", "user.email=t@e"];
  return execFileSync("git", ["-C", folder, ...identity, ...words], { env, encoding: "latin1", stdio: ["ignore", "pipe", "pipe"] });
}

/** What Rewind must leave alone: HEAD, refs, index bytes, configuration, stash, a merge under way. */
export function repository(folder) {
  const file = (name) => {
    const path = git(folder, "rev-parse", "--git-path", name).trim();
    const full = path.startsWith("/") ? path : join(folder, path);
    return existsSync(full) && lstatSync(full).isFile() ? sha(readFileSync(full)) : null;
  };
  const refs = git(folder, "for-each-ref").split("\n").filter((line) => !line.includes("refs/pi-rewind/"));
  return {
    refs,
    stash: git(folder, "stash", "list"),
    ...Object.fromEntries(["HEAD", "index", "config", "MERGE_HEAD", "MERGE_MSG", "ORIG_HEAD", "info/exclude"].map((name) => [name, file(name)])),
  };
}

export function status(folder) {
  return git(folder, "status", "--porcelain=v2", "--branch", "--untracked-files=all", "-z");
}

export function same(folder, moment, when) {
  assert.deepEqual(look(folder), moment, when);
}
