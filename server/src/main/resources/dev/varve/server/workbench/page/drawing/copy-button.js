// SPDX-License-Identifier: Apache-2.0
import { el } from './dom.js';

/**
 * A button that copies a text and says so.
 *
 * @param {string} text
 * @param {string} [name]
 */
export function copy(text, name = 'copy') {
  const button = el('button', { type: 'button', class: 'small', onclick: () => {
    navigator.clipboard.writeText(text).then(() => { button.textContent = 'copied'; }, () => { button.textContent = 'not allowed'; });
    setTimeout(() => { button.textContent = name; }, 1_500);
  } }, name);
  return button;
}
