// SPDX-License-Identifier: Apache-2.0
import { getJson } from '../data/api.js';
import { lastAt } from '../data/contexts.js';
import { el, replace } from '../drawing/dom.js';
import { number, oneLine, time } from '../drawing/text.js';
import { ROW_PX, graph, lanes } from '../drawing/tree-graph.js';
import { load, state } from '../shell/states.js';

/** @typedef {import('../data/contexts.js').Context} Context */
/** @typedef {{context_id: string, knots: import('../drawing/tree-graph.js').Knot[], contexts: Context[], total_count: number, incomplete: boolean}} Tree */

/**
 * The contexts of one origin as a graph of the turns that they share.
 *
 * @param {import('./views.js').Place} place
 */
export function tree({ host, path, scope }) {
  const id = path[0] ?? '';
  document.title = `Branches of ${id} · Varve`;
  void load(host, scope.signal, () => getJson(`v1/contexts/${encodeURIComponent(id)}/tree`, scope.signal), (/** @type {Tree} */ found) => show(host, found, scope));
}

/**
 * @param {HTMLElement} host
 * @param {Tree} found
 * @param {import('../shell/scope.js').Scope} scope
 */
function show(host, found, scope) {
  const byId = new Map(found.contexts.map((each) => [each.context_id, each]));
  const rows = lanes(found.knots);
  /** @type {string[]} */
  let picked = [];
  const go = el('button', { type: 'button', disabled: true, onclick: () => compare() }, 'Compare the two');
  const compare = () => { if (picked.length === 2) location.hash = `#/compare/${picked[0]}/${picked[1]}`; };
  const pick = (/** @type {string} */ id, /** @type {boolean} */ isPicked) => {
    picked = isPicked ? [...picked.slice(-1), id] : picked.filter((each) => each !== id);
    for (const box of boxes) box.checked = picked.includes(box.value);
    go.disabled = picked.length !== 2;
  };
  /** @type {HTMLInputElement[]} */
  const boxes = [];
  const about = byId.get(found.context_id);
  const head = el('div', { class: 'page-head' }, el('h1', { dir: 'auto' }, 'Branches of ', el('a', { href: `#/context/${found.context_id}` }, oneLine(about?.title ?? '', 120) || `context ${found.context_id}`)),
    el('span', { class: 'quiet' }, `${number(found.total_count)} context${found.total_count === 1 ? '' : 's'}`), go);
  const notes = [
    found.incomplete ? 'Not all contexts of the store were looked at yet; open the view again in a moment.' : '',
    found.total_count > found.contexts.length ? `Only ${number(found.contexts.length)} contexts are drawn.` : '',
  ].filter((note) => note !== '');
  if (rows.length === 0) {
    replace(host, head, state('empty', 'No context of this family has a turn.'));
    return;
  }
  const { picture, widthPx } = graph(rows);
  const list = el('ol', { class: 'tree-rows' }, ...rows.map(({ knot }) => {
    const heads = knot.context_ids.map((id) => byId.get(id)).filter((each) => each !== undefined);
    const reader = heads[0]?.context_id ?? below(found.knots, knot) ?? found.context_id;
    return el('li', {},
      el('a', { class: 'at', href: `#/context/${reader}?turn=${knot.turn_id}`, title: `turn ${knot.turn_id}` }, `#${knot.depth}`),
      knot.parent_turn_id !== null && knot.turns > 1 ? el('span', { class: 'quiet' }, `after ${number(knot.turns)} turns`) : null,
      heads.length === 0 ? el('span', { class: 'quiet' }, knot.parent_turn_id === null ? 'beginning' : 'paths part here') : null,
      ...heads.flatMap((each) => {
        const box = el('input', { type: 'checkbox', value: each.context_id, 'aria-label': `pick context ${each.context_id} to compare`, onchange: () => pick(box.value, box.checked) });
        boxes.push(box);
        return [box, el('a', { href: `#/context/${each.context_id}`, dir: 'auto', class: each.context_id === found.context_id ? 'is-here' : '' }, oneLine(each.title ?? '', 80) || `context ${each.context_id}`), ...(each.labels ?? []).map((label) => el('span', { class: 'label' }, oneLine(label, 40))), el('span', { class: 'quiet' }, time(lastAt(each)), ` · ${each.context_id}`)];
      }));
  }));
  list.style.setProperty('--row', `${ROW_PX}px`);
  list.style.marginLeft = `${widthPx}px`;
  replace(host, head, ...notes.map((note) => el('p', { class: 'quiet note' }, note)), el('div', { class: 'tree', tabindex: 0, role: 'region', 'aria-label': 'branches' }, picture, list));
  let current = -1;
  const step = (/** @type {number} */ by) => {
    const links = [...list.querySelectorAll('a')];
    current = Math.max(0, Math.min(links.length - 1, current + by));
    links[current]?.focus();
  };
  scope.key('j ArrowDown', 'next', () => step(1));
  scope.key('k ArrowUp', 'previous', () => step(-1));
  scope.key('c', 'compare the two that are picked', compare);
  scope.key('u', 'back to the conversation', () => { location.hash = `#/context/${found.context_id}`; });
}

/**
 * A context whose path has a turn.
 *
 * @param {import('../drawing/tree-graph.js').Knot[]} knots
 * @param {import('../drawing/tree-graph.js').Knot} knot
 */
function below(knots, knot) {
  const inside = new Set([knot.turn_id]);
  for (const each of knots) {
    if (each.parent_turn_id === null || !inside.has(each.parent_turn_id)) continue;
    if (each.context_ids.length > 0) return each.context_ids[0];
    inside.add(each.turn_id);
  }
  return undefined;
}
