// SPDX-License-Identifier: Apache-2.0
import { el } from './dom.js';
import { plain, visible } from './text.js';

const LINES_MAX = 3_000;

/** @typedef {{kind: ' ' | '+' | '-', text: string}} Line */

/**
 * Whether a text is a patch in the unified format.
 *
 * @param {string} text
 */
export function isDiff(text) {
  return /^(diff --git |--- .*\n\+\+\+ |@@ -\d+(,\d+)? \+\d+(,\d+)? @@)/m.test(text.slice(0, 4_000));
}

/**
 * A patch with its lines coloured.
 *
 * @param {string} text
 * @returns {HTMLElement}
 */
export function patch(text) {
  const lines = text.split('\n', LINES_MAX + 1);
  if (lines.length > LINES_MAX) return plain(text, 'plain code');
  return el('div', { class: 'diff', role: 'group', 'aria-label': 'diff', tabindex: 0 }, ...lines.map((line) => {
    const kind = /^(\+\+\+|---|diff |index |@@)/.test(line) ? 'at' : line.startsWith('+') ? 'add' : line.startsWith('-') ? 'del' : 'same';
    return el('div', { class: `line ${kind}` }, visible(line) || ' ');
  }));
}

/**
 * The lines of two texts, with what was taken away and added (the shortest edit, Myers 1986). Texts that differ in more than a
 * thousand lines are shown as one taken away and one added.
 *
 * @param {string} before
 * @param {string} after
 * @returns {Line[]}
 */
export function difference(before, after) {
  const a = split(before);
  const b = split(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const same = (/** @type {string[]} */ lines) => lines.map((text) => /** @type {Line} */ ({ kind: ' ', text }));
  return [...same(a.slice(0, start)), ...edit(a.slice(start, a.length - end), b.slice(start, b.length - end)), ...same(a.slice(a.length - end))];
}

/** @param {string} text */
function split(text) {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * @param {string[]} a
 * @param {string[]} b
 * @returns {Line[]}
 */
function edit(a, b) {
  const whole = () => [...a.map((text) => /** @type {Line} */ ({ kind: '-', text })), ...b.map((text) => /** @type {Line} */ ({ kind: '+', text }))];
  const most = Math.min(a.length + b.length, 1_000);
  /** @type {Map<number, number>[]} */
  const trace = [];
  let reach = new Map([[1, 0]]);
  for (let d = 0; d <= most; d++) {
    trace.push(new Map(reach));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
      let x = down ? (reach.get(k + 1) ?? 0) : (reach.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach.set(k, x);
      if (x >= a.length && x - k >= b.length) return walkBack(a, b, trace);
    }
  }
  return whole();
}

/**
 * @param {string[]} a
 * @param {string[]} b
 * @param {Map<number, number>[]} trace
 * @returns {Line[]}
 */
function walkBack(a, b, trace) {
  /** @type {Line[]} */
  const lines = [];
  let x = a.length;
  let y = b.length;
  for (let d = trace.length - 1; d >= 0; d--) {
    const reach = /** @type {Map<number, number>} */ (trace[d]);
    const k = x - y;
    const down = k === -d || (k !== d && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : (reach.get(fromK) ?? 0);
    const fromY = d === 0 ? 0 : fromX - fromK;
    while (x > fromX && y > fromY) {
      y--;
      lines.push({ kind: ' ', text: /** @type {string} */ (a[--x]) });
    }
    if (d > 0) lines.push(down ? { kind: '+', text: /** @type {string} */ (b[--y]) } : { kind: '-', text: /** @type {string} */ (a[--x]) });
  }
  return lines.reverse();
}

/**
 * Two texts as a diff, with three lines around each change.
 *
 * @param {string} before
 * @param {string} after
 * @returns {HTMLElement}
 */
export function twoTexts(before, after) {
  const lines = difference(before, after);
  const near = new Uint8Array(lines.length);
  lines.forEach((line, i) => {
    if (line.kind !== ' ') near.fill(1, Math.max(0, i - 3), Math.min(lines.length, i + 4));
  });
  const box = el('div', { class: 'diff', role: 'group', 'aria-label': 'diff', tabindex: 0 });
  let drawn = 0;
  for (let i = 0; i < lines.length && drawn < LINES_MAX; i++) {
    const line = /** @type {Line} */ (lines[i]);
    if (near[i] === 0) {
      if (i === 0 || near[i - 1] === 1) box.append(el('div', { class: 'line at' }, '⋯'));
      continue;
    }
    drawn++;
    box.append(el('div', { class: `line ${line.kind === '+' ? 'add' : line.kind === '-' ? 'del' : 'same'}` }, line.kind, visible(line.text)));
  }
  if (drawn === LINES_MAX) box.append(el('div', { class: 'line at' }, `only the first ${LINES_MAX} lines are shown`));
  if (lines.every((line) => line.kind === ' ')) box.append(el('div', { class: 'line at' }, 'no difference'));
  return box;
}
