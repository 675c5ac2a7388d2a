// SPDX-License-Identifier: Apache-2.0
import { difference, shortestEdit } from './shortest-edit.js';

/** @typedef {import('./shortest-edit.js').Line} Line */
/** @typedef {{from: number, to: number}} Range */
/** @typedef {{number: number, text: string, marks: Range[]}} Side */
/**
 * A row of a diff: a line of the text before beside a line of the text after. `isLast` ends a run of changed lines.
 *
 * @typedef {{kind: 'gap' | 'same' | 'change', left: Side | null, right: Side | null, isLast: boolean}} Row
 */

const LINES_AROUND = 3;

/** Longer lines are compared as a whole. */
const CHARACTERS_MAX = 2_000;
const WORDS_CHANGED_MAX = 60;

/**
 * Two texts as the rows of a diff, with some lines around each change.
 *
 * @param {string} before
 * @param {string} after
 * @param {number} max the most rows
 * @returns {{rows: Row[], isCut: boolean, isSame: boolean}}
 */
export function rowsOf(before, after, max) {
  const lines = difference(before, after);
  const near = new Uint8Array(lines.length);
  lines.forEach((line, i) => {
    if (line.kind !== ' ') near.fill(1, Math.max(0, i - LINES_AROUND), Math.min(lines.length, i + LINES_AROUND + 1));
  });
  /** @type {Row[]} */
  const rows = [];
  let left = 0;
  let right = 0;
  for (let i = 0; i < lines.length && rows.length < max;) {
    const line = /** @type {Line} */ (lines[i]);
    if (line.kind === ' ') {
      left++;
      right++;
      if (near[i] === 1) rows.push({ kind: 'same', left: { number: left, text: line.text, marks: [] }, right: { number: right, text: line.text, marks: [] }, isLast: false });
      else if (i === 0 || near[i - 1] === 1) rows.push({ kind: 'gap', left: null, right: null, isLast: false });
      i++;
      continue;
    }
    let end = i;
    while (end < lines.length && lines[end]?.kind !== ' ') end++;
    const run = lines.slice(i, end);
    const taken = run.filter((each) => each.kind === '-').map((each) => side(++left, each));
    const added = run.filter((each) => each.kind === '+').map((each) => side(++right, each));
    const count = Math.min(Math.max(taken.length, added.length), max - rows.length);
    for (let row = 0; row < count; row++) {
      const pair = { left: taken[row] ?? null, right: added[row] ?? null };
      if (pair.left !== null && pair.right !== null) markWords(pair.left, pair.right);
      rows.push({ kind: 'change', ...pair, isLast: row === count - 1 });
    }
    i = end;
  }
  return { rows, isCut: rows.length === max, isSame: lines.every((line) => line.kind === ' ') };
}

/**
 * @param {number} number
 * @param {Line} line
 * @returns {Side}
 */
function side(number, { text }) {
  return { number, text, marks: [] };
}

/**
 * Marks the words in which two lines differ, unless they have little in common.
 *
 * @param {Side} a
 * @param {Side} b
 */
function markWords(a, b) {
  if (a.text.length > CHARACTERS_MAX || b.text.length > CHARACTERS_MAX) return;
  const words = shortestEdit(cut(a.text), cut(b.text), WORDS_CHANGED_MAX);
  const common = words.reduce((sum, word) => sum + (word.kind === ' ' ? word.text.trim().length : 0), 0);
  if (common * 3 < Math.max(a.text.trim().length, b.text.trim().length)) return;
  a.marks = ranges(words, '-');
  b.marks = ranges(words, '+');
}

/** @param {string} text */
function cut(text) {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

/**
 * @param {Line[]} words
 * @param {'-' | '+'} kind
 */
function ranges(words, kind) {
  /** @type {Range[]} */
  const found = [];
  let at = 0;
  for (const word of words) {
    if (word.kind !== ' ' && word.kind !== kind) continue;
    const to = at + word.text.length;
    const last = found.at(-1);
    if (word.kind === kind && last?.to === at) last.to = to;
    else if (word.kind === kind) found.push({ from: at, to });
    at = to;
  }
  return found;
}
