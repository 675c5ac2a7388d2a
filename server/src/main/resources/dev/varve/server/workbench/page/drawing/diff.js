// SPDX-License-Identifier: Apache-2.0
import { rowsOf } from './diff-rows.js';
import { el } from './dom.js';
import { plain, visible } from './text.js';

/** @typedef {import('./diff-rows.js').Side} Side */

const LINES_MAX = 3_000;

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
 * Two texts as a diff in one column, with three lines around each change.
 *
 * @param {string} before
 * @param {string} after
 * @param {boolean} [isNumbered] whether the texts are whole files, so that their lines have numbers
 * @returns {HTMLElement}
 */
export function twoTexts(before, after, isNumbered = false) {
  const { rows, isCut, isSame } = rowsOf(before, after, LINES_MAX);
  const box = el('div', { class: 'diff', role: 'group', 'aria-label': 'diff', tabindex: 0 });
  /** @type {HTMLElement[]} */
  let added = [];
  const numbered = (/** @type {Side | null} */ side) => (isNumbered ? side?.number : undefined);
  for (const row of rows) {
    if (row.kind !== 'change') box.append(...added.splice(0));
    if (row.kind === 'gap') {
      box.append(el('div', { class: 'line at' }, '⋯'));
    } else if (row.kind === 'same') {
      box.append(el('div', { class: 'line same', 'data-n': numbered(row.right) }, ' ', visible(row.right?.text ?? '')));
    } else {
      if (row.left !== null) box.append(el('div', { class: 'line del', 'data-n': numbered(row.left) }, '-', ...words(row.left)));
      if (row.right !== null) added.push(el('div', { class: 'line add', 'data-n': numbered(row.right) }, '+', ...words(row.right)));
      if (row.isLast) box.append(...added.splice(0));
    }
  }
  box.append(...added, ...ending(isCut, isSame).map((says) => el('div', { class: 'line at' }, says)));
  return box;
}

/**
 * Two texts side by side, with three lines around each change.
 *
 * @param {string} before
 * @param {string} after
 * @returns {HTMLElement}
 */
export function twoColumns(before, after) {
  const { rows, isCut, isSame } = rowsOf(before, after, LINES_MAX);
  /** @param {Side | null} side @param {'del' | 'add' | 'same'} kind */
  const cells = (side, kind) => (side === null
    ? [el('td', { class: 'n' }), el('td', { class: 'none' })]
    : [el('td', { class: 'n', 'data-n': side.number }), el('td', { class: `line ${kind}` }, { del: '-', add: '+', same: ' ' }[kind], ...words(side))]);
  const across = (/** @type {string} */ text) => el('tr', {}, el('td', { class: 'line at', colspan: 4 }, text));
  return el('div', { class: 'diff', role: 'group', 'aria-label': 'diff in two columns', tabindex: 0 },
    el('table', { class: 'columns' }, el('colgroup', {}, el('col', { class: 'n' }), el('col'), el('col', { class: 'n' }), el('col')), el('thead', { class: 'unseen' }, el('tr', {}, el('th', { scope: 'col', colspan: 2 }, 'before'), el('th', { scope: 'col', colspan: 2 }, 'after'))),
      el('tbody', {}, ...rows.map((row) => (row.kind === 'gap' ? across('⋯') : el('tr', {}, ...cells(row.left, row.kind === 'same' ? 'same' : 'del'), ...cells(row.right, row.kind === 'same' ? 'same' : 'add')))),
        ...ending(isCut, isSame).map(across))));
}

/**
 * @param {boolean} isCut
 * @param {boolean} isSame
 */
function ending(isCut, isSame) {
  if (isSame) return ['no difference'];
  return isCut ? [`only the first ${LINES_MAX.toLocaleString('en')} lines are shown`] : [];
}

/**
 * The text of a line, its changed words marked.
 *
 * @param {Side} side
 * @returns {(HTMLElement | string)[]}
 */
function words({ text, marks }) {
  /** @type {(HTMLElement | string)[]} */
  const parts = [];
  let at = 0;
  for (const { from, to } of marks) {
    parts.push(visible(text.slice(at, from)), el('mark', { class: 'changed' }, visible(text.slice(from, to))));
    at = to;
  }
  parts.push(visible(text.slice(at)));
  return parts;
}
