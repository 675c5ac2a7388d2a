// SPDX-License-Identifier: Apache-2.0
import { getJson, query } from '../data/api.js';
import { turnCount } from '../data/contexts.js';
import { el, replace } from '../drawing/dom.js';
import { number, oneLine } from '../drawing/text.js';
import { turnItem } from '../drawing/turn-item.js';
import { switchDiffs } from '../drawing/diff-layout.js';
import { fileChanges } from '../drawing/file-changes.js';
import { failure, load, state, whenBack } from '../shell/states.js';

/** @typedef {import('../data/contexts.js').Context} Context */
/** @typedef {{context: Context, with: Context, common_turn_id: string | null, common_depth: number}} Comparison */

const TURNS_AT_ONCE = 50;

/**
 * Two contexts side by side, from the turn on after which they part, and the difference between their files.
 *
 * @param {import('./views.js').Place} place
 */
export function compare({ host, path, scope }) {
  const [a = '', b = ''] = path;
  document.title = `${a} and ${b} · Varve`;
  void load(host, scope.signal, () => getJson(`v1/contexts/${encodeURIComponent(a)}/comparison${query({ with: b })}`, scope.signal), (/** @type {Comparison} */ found) => {
    const sides = [side(found.context, found, scope.signal), side(found.with, found, scope.signal)];
    replace(host,
      el('div', { class: 'page-head' }, el('h1', {}, 'Comparison'),
        found.common_turn_id === null
          ? el('span', { class: 'quiet' }, 'no common turn')
          : el('span', {}, 'both go through ', el('a', { href: `#/context/${a}?turn=${found.common_turn_id}` }, `turn ${found.common_depth}`)),
        el('a', { href: `#/compare/${b}/${a}` }, 'the other way round'), el('a', { href: `#/tree/${a}` }, 'branches')),
      el('div', { class: 'compare', tabindex: 0, role: 'region', 'aria-label': 'both sides' },
        el('div', { class: 'sides' }, ...sides), el('h2', {}, 'Files'), files(found, scope.signal)));
  });
  scope.key('d', 'diffs in one column or in two', switchDiffs);
  scope.key('u', 'back to the branches', () => { location.hash = `#/tree/${a}`; });
}

/**
 * @param {Context} about
 * @param {Comparison} found
 * @param {AbortSignal} signal
 */
function side(about, found, signal) {
  const own = turnCount(about) - found.common_depth - 1;
  const box = el('div', { class: 'side-turns' });
  const problem = el('div');
  const more = el('button', { type: 'button', class: 'more', onclick: () => void next() }, '');
  let depth = found.common_depth + 1;
  async function next() {
    more.disabled = true;
    problem.replaceChildren();
    try {
      const page = await getJson(`v1/contexts/${about.context_id}/turns${query({ start_depth: String(depth), limit: TURNS_AT_ONCE, view: 'both', bytes_render: 'len_only' })}`, signal);
      for (const turn of page.turns) more.before(turnItem(turn, { context: about.context_id, resultsOf: () => [], isAnswered: false, isMarked: false }));
      depth += page.turns.length;
      more.disabled = false;
      more.textContent = `Show more: ${number(turnCount(about) - depth)} turns are left`;
      if (depth >= turnCount(about) || page.turns.length === 0) more.remove();
    } catch (error) {
      if (signal.aborted) return;
      more.disabled = false;
      more.textContent = 'Ask again';
      replace(problem, failure(error));
      whenBack(error, signal, () => void next());
    }
  }
  box.append(more, problem);
  if (own > 0) void next();
  else replace(box, state('empty', 'This side has no turn of its own.'));
  return el('section', { class: 'side' }, el('h2', { dir: 'auto' }, el('a', { href: `#/context/${about.context_id}` }, oneLine(about.title ?? '', 100) || `context ${about.context_id}`), ' ', el('span', { class: 'quiet' }, `${number(own)} turn${own === 1 ? '' : 's'} of its own`)), box);
}

/**
 * @param {Comparison} found
 * @param {AbortSignal} signal
 */
function files(found, signal) {
  const box = el('div', { class: 'padded' });
  if (found.context.head_turn_id === '0' || found.with.head_turn_id === '0') return state('empty', 'One of the two has no turn.');
  void load(box, signal, () => fileChanges(found.context.head_turn_id, found.with.head_turn_id, signal), (shown) => box.append(shown));
  return box;
}
