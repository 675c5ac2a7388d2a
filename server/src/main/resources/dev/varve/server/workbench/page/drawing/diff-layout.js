// SPDX-License-Identifier: Apache-2.0
import { twoColumns, twoTexts } from './diff.js';
import { el, replace } from './dom.js';

const LAYOUT = 'varve.diff';
const WIDE = matchMedia('(min-width: 48rem)');

/** Says that the layout changed, to all diffs on the page. */
const changes = new EventTarget();
WIDE.addEventListener('change', () => changes.dispatchEvent(new Event('change')));

function isColumns() {
  return localStorage.getItem(LAYOUT) !== 'one';
}

/** Changes between one column and two; the choice stays in this browser. */
export function switchDiffs() {
  localStorage.setItem(LAYOUT, isColumns() ? 'one' : 'two');
  changes.dispatchEvent(new Event('change'));
}

/**
 * A button that changes the layout of all diffs. A narrow page has one column, and no such button.
 *
 * @param {AbortSignal} signal ends with the view
 */
export function diffSwitch(signal) {
  const button = el('button', { type: 'button', class: 'small', onclick: switchDiffs });
  const draw = () => {
    button.hidden = !WIDE.matches;
    button.textContent = isColumns() ? 'Diffs in one column' : 'Diffs in two columns';
  };
  draw();
  changes.addEventListener('change', draw, { signal });
  return button;
}

/**
 * Two texts as a diff in the layout that the reader chose.
 *
 * @param {string} before
 * @param {string} after
 * @param {AbortSignal} signal ends with the view
 * @returns {HTMLElement}
 */
export function chosenDiff(before, after, signal) {
  const box = el('div', {});
  let shown = '';
  const draw = () => {
    const wanted = isColumns() && WIDE.matches ? 'two' : 'one';
    if (wanted === shown) return;
    shown = wanted;
    replace(box, wanted === 'two' ? twoColumns(before, after) : twoTexts(before, after, true));
  };
  draw();
  changes.addEventListener('change', draw, { signal });
  return box;
}
