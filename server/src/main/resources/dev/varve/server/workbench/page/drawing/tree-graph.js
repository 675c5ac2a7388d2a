// SPDX-License-Identifier: Apache-2.0
import { svg } from './dom.js';

/** @typedef {{turn_id: string, depth: number, parent_turn_id: string | null, turns: number, context_ids: string[]}} Knot */
/** @typedef {{knot: Knot, lane: number, parentRow: number, parentLane: number, last: Set<number>}} Row */

export const ROW_PX = 36;
const LANE_PX = 18;
const LANES_MAX = 40;

/**
 * A row and a lane for each knot: a branch goes on in the lane of its parent where the first follower stands, the others
 * get lanes of their own, as in a git graph.
 *
 * @param {Knot[]} knots each before those that follow it, one branch after the other
 * @returns {Row[]}
 */
export function lanes(knots) {
  /** @type {Map<string, {row: number, lane: number, followers: number}>} */
  const placed = new Map();
  /** @type {Row[]} */
  const rows = [];
  let next = 0;
  knots.forEach((knot, row) => {
    const parent = knot.parent_turn_id === null ? undefined : placed.get(knot.parent_turn_id);
    let lane;
    if (parent === undefined) {
      lane = next++;
    } else {
      lane = parent.followers === 0 ? parent.lane : next++;
      parent.followers++;
    }
    placed.set(knot.turn_id, { row, lane, followers: 0 });
    rows.push({ knot, lane, parentRow: parent?.row ?? -1, parentLane: parent?.lane ?? lane, last: new Set() });
  });
  return rows;
}

/**
 * The lines and dots of a tree.
 *
 * @param {Row[]} rows
 * @returns {{picture: SVGElement, widthPx: number}}
 */
export function graph(rows) {
  const x = (/** @type {number} */ lane) => 14 + Math.min(lane, LANES_MAX) * LANE_PX;
  const y = (/** @type {number} */ row) => row * ROW_PX + ROW_PX / 2;
  const widthPx = x(rows.reduce((most, row) => Math.max(most, row.lane), 0)) + 14;
  const lines = rows.map((row, i) => {
    if (row.parentRow < 0) return null;
    const from = { x: x(row.parentLane), y: y(row.parentRow) };
    const to = { x: x(row.lane), y: y(i) };
    const turn = from.x === to.x ? '' : `C ${from.x} ${from.y + ROW_PX * 0.8}, ${to.x} ${from.y + ROW_PX * 0.2}, ${to.x} ${from.y + ROW_PX}`;
    return svg('path', { class: `edge lane-${row.lane % 6}`, d: `M ${from.x} ${from.y} ${turn} L ${to.x} ${to.y}` });
  });
  const dots = rows.map((row, i) => svg('circle', { class: `dot lane-${row.lane % 6}${row.knot.context_ids.length > 0 ? ' is-head' : ''}`, cx: x(row.lane), cy: y(i), r: row.knot.context_ids.length > 0 ? 6 : 4 }));
  return { picture: svg('svg', { class: 'graph', width: widthPx, height: rows.length * ROW_PX, 'aria-hidden': 'true' }, ...lines, ...dots), widthPx };
}
