// SPDX-License-Identifier: Apache-2.0
import { lastAt } from '../data/contexts.js';
import { el } from './dom.js';
import { number, oneLine, time } from './text.js';

/** @typedef {import('../data/contexts.js').Context} Context */
/** @typedef {import('./tree-graph.js').Row} Row */
/** @typedef {import('./tree-graph.js').Knot} Knot */

/**
 * What the words of a tree's lines need to know.
 *
 * @typedef {object} TreeFacts
 * @property {string} here the context that the tree was asked for
 * @property {Map<string, Context>} byId
 * @property {(knot: Knot) => string} reader a context on whose path a knot is
 * @property {Map<string, {reader: string, turn: string, depth: number}>} begun where each sub-agent was begun
 * @property {(knot: Knot) => void} all shows all marks on the way to a knot
 * @property {(context: string) => HTMLElement} box for picking a context
 */

/**
 * The words of a line of the tree.
 *
 * @param {Row} row
 * @param {TreeFacts} facts
 * @returns {HTMLElement}
 */
export function treeRow(row, facts) {
  return row.mark === null ? knotRow(row.knot, facts) : markRow(row, row.mark, facts);
}

/**
 * @param {Row} row
 * @param {import('./tree-graph.js').Mark} mark
 * @param {TreeFacts} facts
 */
function markRow({ knot, hidden }, mark, facts) {
  const at = `#/context/${facts.reader(knot)}?turn=${mark.turn_id}`;
  const named = knot.marks.filter((each) => each.kind === mark.kind).length;
  return el('li', { class: `is-mark ${mark.kind}` },
    el('a', { class: 'at', href: at, title: `turn ${mark.turn_id}` }, `#${mark.depth}`),
    el('span', { class: 'quiet' }, { compaction: 'compaction', snapshot: 'snapshot', sub_agent: 'sub-agent' }[mark.kind]),
    mark.kind === 'snapshot' ? el('a', { href: `#/files/${mark.turn_id}` }, 'files at this turn') : null,
    mark.kind === 'sub_agent' ? el('a', { href: `#/context/${mark.context_id}`, dir: 'auto' }, oneLine(mark.label ?? '', 80) || `context ${mark.context_id}`) : null,
    hidden > 0 ? el('span', { class: 'quiet' }, `${number(hidden)} more before`) : null,
    hidden > 0 && hidden > (knot.mark_counts[mark.kind] - named) ? el('button', { type: 'button', class: 'small', onclick: () => facts.all(knot) }, named === knot.mark_counts[mark.kind] ? 'Show all' : `Show the last ${named}`) : null);
}

/**
 * @param {Knot} knot
 * @param {TreeFacts} facts
 */
function knotRow(knot, facts) {
  const heads = knot.context_ids.map((id) => facts.byId.get(id)).filter((each) => each !== undefined);
  const root = knot.parent_turn_id === null;
  return el('li', {},
    el('a', { class: 'at', href: `#/context/${facts.reader(knot)}?turn=${knot.turn_id}`, title: `turn ${knot.turn_id}` }, `#${knot.depth}`),
    !root && knot.turns > 1 ? el('span', { class: 'quiet' }, `after ${number(knot.turns)} turns`) : null,
    knot.parting === undefined ? (heads.length === 0 ? el('span', { class: 'quiet' }, root ? 'beginning' : 'paths part here') : null) : el('span', { class: 'quiet' }, knot.parting),
    ...heads.flatMap((each) => {
      const begun = facts.begun.get(each.context_id);
      return [facts.box(each.context_id),
        el('a', { href: `#/context/${each.context_id}`, dir: 'auto', class: each.context_id === facts.here ? 'is-here' : '' }, oneLine(each.title ?? '', 80) || `context ${each.context_id}`),
        ...(each.labels ?? []).map((label) => el('span', { class: 'label' }, oneLine(label, 40))),
        begun === undefined ? null : el('a', { href: `#/context/${begun.reader}?turn=${begun.turn}` }, `begun at #${begun.depth}`),
        el('span', { class: 'quiet' }, time(lastAt(each)), ` · ${each.context_id}`)];
    }));
}
