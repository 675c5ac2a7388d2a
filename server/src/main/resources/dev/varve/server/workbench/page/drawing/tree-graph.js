// SPDX-License-Identifier: Apache-2.0
import { el, svg } from './dom.js';

/** @typedef {'compaction' | 'snapshot' | 'sub_agent'} MarkKind */
/** @typedef {{kind: MarkKind, turn_id: string, depth: number, context_id?: string, label?: string, fs_root_hash?: string}} Mark */
/**
 * @typedef {object} Knot
 * @property {string} turn_id
 * @property {number} depth
 * @property {string | null} parent_turn_id
 * @property {number} turns
 * @property {string[]} context_ids
 * @property {'fork' | 'rewind'} [parting]
 * @property {Mark[]} marks
 * @property {Record<MarkKind, number>} mark_counts
 */
/**
 * A line of the graph: a knot, or a mark on the way to the knot.
 *
 * @typedef {{knot: Knot, mark: Mark | null, hidden: number, lane: number, parentRow: number, parentLane: number}} Row
 */
/** @typedef {MarkKind | 'head' | 'fork' | 'rewind' | 'beginning'} Sign */

export const ROW_PX = 36;
const LANE_PX = 18;
const LANES_MAX = 40;

/** So many marks of a kind stand on a way before somebody asks for all. */
const SHOWN_AT_ONCE = 3;

/** @type {[Sign, string][]} */
export const SIGNS = [['head', 'end of a conversation'], ['fork', 'fork'], ['rewind', 'rewind: the same session went on from here again'], ['compaction', 'compaction'], ['snapshot', 'snapshot of the files'], ['sub_agent', 'sub-agent']];

/**
 * The lines of a tree with their lanes: a branch goes on in the lane of its parent where the first follower stands, the
 * others get lanes of their own, as in a git graph.
 *
 * @param {Knot[]} knots each before those that follow it, one branch after the other
 * @param {Set<string>} whole the knots on whose ways all marks are shown that have a name
 * @returns {Row[]}
 */
export function lanes(knots, whole) {
  /** @type {Map<string, {row: number, lane: number, followers: number}>} */
  const placed = new Map();
  /** @type {Row[]} */
  const rows = [];
  let next = 0;
  for (const knot of knots) {
    const parent = knot.parent_turn_id === null ? undefined : placed.get(knot.parent_turn_id);
    let lane;
    if (parent === undefined) {
      lane = next++;
    } else {
      lane = parent.followers === 0 ? parent.lane : next++;
      parent.followers++;
    }
    const place = { lane, parentRow: parent?.row ?? -1, parentLane: parent?.lane ?? lane };
    for (const { mark, hidden } of shown(knot, whole.has(knot.turn_id))) rows.push({ knot, mark, hidden, ...place });
    placed.set(knot.turn_id, { row: rows.length, lane, followers: 0 });
    rows.push({ knot, mark: null, hidden: 0, ...place });
  }
  return rows;
}

/**
 * The last marks of each kind, in the order of their turns; the first of a kind knows how many stand before it.
 *
 * @param {Knot} knot
 * @param {boolean} isWhole
 */
function shown(knot, isWhole) {
  /** @type {Record<string, number>} */
  const left = {};
  for (const mark of knot.marks) left[mark.kind] = (left[mark.kind] ?? 0) + 1;
  /** @type {Set<MarkKind>} */
  const begun = new Set();
  return knot.marks.flatMap((mark) => {
    const behind = left[mark.kind] ?? 0;
    left[mark.kind] = behind - 1;
    if (!isWhole && behind > SHOWN_AT_ONCE) return [];
    const isFirst = !begun.has(mark.kind);
    begun.add(mark.kind);
    return [{ mark, hidden: isFirst ? knot.mark_counts[mark.kind] - behind : 0 }];
  });
}

/**
 * The sign of a line.
 *
 * @param {Row} row
 * @returns {Sign}
 */
export function signOf({ knot, mark }) {
  if (mark !== null) return mark.kind;
  if (knot.context_ids.length > 0) return 'head';
  return knot.parting ?? 'beginning';
}

/**
 * @param {Sign} sign
 * @param {number} x
 * @param {number} y
 * @param {string} lane a class
 */
function shape(sign, x, y, lane) {
  switch (sign) {
    case 'head':
      return svg('circle', { class: `dot is-head ${lane}`, cx: x, cy: y, r: 6 });
    case 'fork':
    case 'beginning':
      return svg('circle', { class: `dot ${lane}`, cx: x, cy: y, r: 4 });
    case 'rewind':
      return svg('path', { class: `dot ${lane}`, d: `M ${x + 5} ${y - 6} L ${x + 5} ${y + 6} L ${x - 6} ${y} Z` });
    case 'compaction':
      return svg('path', { class: `dot is-head ${lane}`, d: `M ${x} ${y - 6} L ${x + 6} ${y} L ${x} ${y + 6} L ${x - 6} ${y} Z` });
    case 'snapshot':
      return svg('path', { class: `dot ${lane}`, d: `M ${x - 5} ${y - 5} H ${x + 5} V ${y + 5} H ${x - 5} Z` });
    case 'sub_agent':
      return svg('path', { class: `dot is-head ${lane}`, d: `M ${x - 5} ${y - 6} L ${x - 5} ${y + 6} L ${x + 6} ${y} Z` });
  }
}

/** The signs with their words. */
export function legend() {
  return el('ul', { class: 'legend', 'aria-label': 'signs' }, ...SIGNS.map(([sign, words]) => el('li', {}, svg('svg', { width: 16, height: 16, 'aria-hidden': 'true' }, shape(sign, 8, 8, 'lane-0')), words)));
}

/**
 * The lines and signs of a tree.
 *
 * @param {Row[]} rows
 * @returns {{picture: SVGElement, widthPx: number}}
 */
export function graph(rows) {
  const x = (/** @type {number} */ lane) => 14 + Math.min(lane, LANES_MAX) * LANE_PX;
  const y = (/** @type {number} */ row) => row * ROW_PX + ROW_PX / 2;
  const widthPx = x(rows.reduce((most, row) => Math.max(most, row.lane), 0)) + 14;
  const lines = rows.map((row, i) => {
    if (row.mark !== null || row.parentRow < 0) return null;
    const from = { x: x(row.parentLane), y: y(row.parentRow) };
    const to = { x: x(row.lane), y: y(i) };
    const turn = from.x === to.x ? '' : `C ${from.x} ${from.y + ROW_PX * 0.8}, ${to.x} ${from.y + ROW_PX * 0.2}, ${to.x} ${from.y + ROW_PX}`;
    return svg('path', { class: `edge lane-${row.lane % 6}`, d: `M ${from.x} ${from.y} ${turn} L ${to.x} ${to.y}` });
  });
  const signs = rows.map((row, i) => shape(signOf(row), x(row.lane), y(i), `lane-${row.lane % 6}`));
  return { picture: svg('svg', { class: 'graph', width: widthPx, height: rows.length * ROW_PX, 'aria-hidden': 'true' }, ...lines, ...signs), widthPx };
}
