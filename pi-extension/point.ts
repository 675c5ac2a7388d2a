// SPDX-License-Identifier: Apache-2.0

// A point of a session as one line for people.

import type { Entry } from "./pi.ts";
import { list } from "./status.ts";

const SHOWN_WORDS = 60;
const READ_WORDS = 1000;

interface Block {
  type?: unknown;
  text?: unknown;
  name?: unknown;
  arguments?: unknown;
}

/** When, who, the first words, and the entry's id, which makes it unlike every other. */
export function labelOf(point: Record<string, unknown>, entry: Entry | undefined): string {
  const at = new Date(String(point.at)).toLocaleString("sv-SE"); // the ISO form, in local time
  return [at, point.role, wordsOf(entry), `(${point.entry})`].filter((word) => word !== "").join("  ");
}

/** The first text of an entry; without text, its tools and the paths or commands that they were given. */
function wordsOf(entry: Entry | undefined): string {
  const content = entry?.message?.content ?? entry?.summary;
  const blocks = (typeof content === "string" ? [{ text: content }] : list(content)) as (Block | null)[];
  const text = blocks.map((block) => words(block?.text)).find((each) => each !== "");
  return (text ?? blocks.map(toolOf).filter((each) => each !== "").join(", ")).slice(0, SHOWN_WORDS);
}

function toolOf(block: Block | null): string {
  if (block?.type !== "toolCall" || typeof block.name !== "string") return "";
  const given = (typeof block.arguments === "object" && block.arguments !== null ? block.arguments : {}) as Record<string, unknown>;
  const what = given.path ?? given.file_path ?? given.command;
  return words(`${block.name} ${typeof what === "string" ? what : ""}`);
}

function words(text: unknown): string {
  return typeof text === "string" ? text.slice(0, READ_WORDS).replace(/\s+/g, " ").trim() : "";
}
