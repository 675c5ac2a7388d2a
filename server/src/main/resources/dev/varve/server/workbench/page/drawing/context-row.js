// SPDX-License-Identifier: Apache-2.0
import { lastAt, turnCount } from '../data/contexts.js';
import { el } from './dom.js';
import { number, oneLine, size, time } from './text.js';

/**
 * A context as a line of a list.
 *
 * @param {import('../data/contexts.js').Context} context
 * @param {(word: string) => void} onword takes an agent, project or label that was clicked
 * @param {number} [bytes] its size, if it is known
 * @returns {HTMLElement}
 */
export function contextRow(context, onword, bytes) {
  const word = (/** @type {string | undefined} */ text, /** @type {string} */ className) =>
    text === undefined ? el('span', { class: className }) : el('button', { type: 'button', class: `word ${className}`, tabindex: -1, title: `filter by ${oneLine(text, 60)}`, onclick: () => onword(text) }, oneLine(text, 40));
  return el('div', { class: 'context-row' },
    word(context.agent ?? context.client_tag, 'agent'),
    el('span', { class: 'title' },
      context.is_live ? el('span', { class: 'is-live', title: 'a client is writing to it' }, 'live') : null,
      el('a', { href: `#/context/${context.context_id}`, dir: 'auto' }, oneLine(context.title ?? '', 200) || `context ${context.context_id}`),
      ...(context.labels ?? []).slice(0, 6).map((label) => word(label, 'label'))),
    word(context.project, 'project'),
    el('span', { class: 'turns', title: 'turns' }, number(turnCount(context))),
    el('span', { class: 'size', title: 'payloads of all its turns, uncompressed' }, bytes === undefined ? '' : size(bytes)),
    el('span', { class: 'when' }, time(lastAt(context))),
    el('span', { class: 'id', title: 'number of the context' }, context.context_id));
}

/**
 * Fills in a size that came after its row.
 *
 * @param {Element} row
 * @param {number | undefined} bytes
 */
export function showSize(row, bytes) {
  if (bytes !== undefined) row.querySelector('.size')?.replaceChildren(size(bytes));
}
