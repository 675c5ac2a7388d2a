// SPDX-License-Identifier: Apache-2.0

/** @typedef {{kind: ' ' | '+' | '-', text: string}} Line */

/**
 * The lines of two texts, with what was taken away and added. Texts that differ in more than a thousand lines are shown as one
 * taken away and one added.
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
  return [...same(a.slice(0, start)), ...shortestEdit(a.slice(start, a.length - end), b.slice(start, b.length - end)), ...same(a.slice(a.length - end))];
}

/** @param {string} text */
function split(text) {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * The shortest way from one list to another (Myers 1986).
 *
 * @param {string[]} a
 * @param {string[]} b
 * @param {number} [most] more changes than these are shown as all of `a` taken away and all of `b` added
 * @returns {Line[]}
 */
export function shortestEdit(a, b, most = 1_000) {
  const whole = () => [...a.map((text) => /** @type {Line} */ ({ kind: '-', text })), ...b.map((text) => /** @type {Line} */ ({ kind: '+', text }))];
  /** @type {Map<number, number>[]} */
  const trace = [];
  let reach = new Map([[1, 0]]);
  for (let d = 0; d <= Math.min(a.length + b.length, most); d++) {
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
