// SPDX-License-Identifier: Apache-2.0
import { el, svg } from './dom.js';

/**
 * A figure with its name.
 *
 * @param {string} name
 * @param {string} value
 * @param {string} [more]
 * @param {string} [className]
 */
export function card(name, value, more = '', className = '') {
  return el('div', { class: `card ${className}` }, el('div', { class: 'quiet' }, name), el('div', { class: 'figure' }, value), more === '' ? null : el('div', { class: 'quiet' }, more));
}

/**
 * A bar, and inside it the part that counts.
 *
 * @param {number} part of 1
 * @param {number} [inner] of 1, at most `part`; the whole bar if it is left out
 */
export function bar(part, inner = part) {
  const wide = (/** @type {number} */ of) => Math.max(of * 100, 0.5);
  return svg('svg', { viewBox: '0 0 100 6', preserveAspectRatio: 'none', class: 'bar-line', 'aria-hidden': 'true' },
    svg('rect', { x: 0, y: 0, width: wide(part), height: 6, class: 'bar-whole' }), svg('rect', { x: 0, y: 0, width: wide(inner), height: 6 }));
}

/**
 * A line over the last seconds.
 *
 * @param {string} name
 * @param {number[]} values a second each
 * @param {(most: number) => string} said of the greatest value
 */
export function chart(name, values, said) {
  const greatest = Math.max(0, ...values);
  const scale = greatest === 0 ? 1 : greatest;
  const points = values.map((value, i) => `${(i * 100) / Math.max(1, values.length - 1)},${30 - (28 * value) / scale}`).join(' ');
  const words = greatest === 0 ? `${name}: none` : `${name}: at most ${said(greatest)}`;
  return el('figure', {}, svg('svg', { viewBox: '0 0 100 31', preserveAspectRatio: 'none', class: 'chart', role: 'img', 'aria-label': words }, svg('polyline', { points })), el('figcaption', {}, words));
}
