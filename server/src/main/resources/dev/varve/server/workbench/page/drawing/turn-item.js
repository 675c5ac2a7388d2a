// SPDX-License-Identifier: Apache-2.0
import { message } from '../data/message.js';
import { copy } from './copy-button.js';
import { el } from './dom.js';
import { draw } from './parts.js';
import { size, time, visible } from './text.js';

/** @typedef {import('../data/turns.js').Turn} Turn */
/** @typedef {import('../data/message.js').Part} Part */

/**
 * One turn of a conversation.
 *
 * @param {Turn} turn
 * @param {object} more
 * @param {string} more.context
 * @param {(id: string) => Part[]} more.resultsOf
 * @param {boolean} more.isAnswered whether the turn is a result that its call shows already
 * @param {boolean} more.isMarked
 * @returns {HTMLElement}
 */
export function turnItem(turn, { context, resultsOf, isAnswered, isMarked }) {
  const said = message(turn);
  const own = new Set(said.parts.filter((part) => part.kind === 'result').map((part) => part.id));
  const inner = (/** @type {string} */ id) => (own.has(id) ? said.parts.filter((part) => part.kind === 'result' && part.id === id) : resultsOf(id));
  const calls = new Set(said.parts.filter((part) => part.kind === 'call').map((part) => part.id));
  const parts = said.parts.filter((part) => !(part.kind === 'result' && calls.has(part.id)));
  return el('article', { class: `turn ${said.role}${isMarked ? ' is-marked' : ''}${isAnswered ? ' is-answered' : ''}`, 'data-turn': turn.turn_id },
    el('header', {},
      el('span', { class: 'role' }, visible(said.title)),
      ...said.facts.map((fact) => el('span', { class: 'fact' }, visible(fact))),
      isAnswered ? el('span', { class: 'fact' }, 'result, shown beside its call') : null,
      el('span', { class: 'spring' }),
      el('span', { class: 'quiet' }, time(turn.created_at_unix_ms)),
      el('a', { class: 'quiet', href: `#/context/${context}?turn=${turn.turn_id}`, title: 'link to this turn' }, `#${turn.depth}`),
      menu(turn)),
    ...(isAnswered ? [] : parts.map((part) => draw(part, inner))));
}

/** @param {Turn} turn */
function menu(turn) {
  const box = el('details', { class: 'raw', ontoggle: () => {
    if (box.open && box.childElementCount === 1) box.append(facts(turn));
  } }, el('summary', { title: 'number, hash and bytes', 'aria-label': `raw facts of turn ${turn.turn_id}` }, 'raw'));
  return box;
}

/** @param {Turn} turn */
function facts(turn) {
  const row = (/** @type {string} */ name, /** @type {string} */ value) => [el('dt', {}, name), el('dd', {}, el('code', {}, visible(value)), copy(value))];
  const list = el('dl', { class: 'args' }, ...row('turn', turn.turn_id), ...row('parent', turn.parent_turn_id), ...row('type', `${turn.declared_type.type_id} ${turn.declared_type.type_version}`));
  if (turn.content_hash_b3 !== undefined) list.append(...row('hash', turn.content_hash_b3));
  if (turn.uncompressed_len !== undefined) list.append(el('dt', {}, 'size'), el('dd', {}, size(turn.uncompressed_len)));
  if (turn.fs_root_hash !== undefined) list.append(...row('files', turn.fs_root_hash));
  const actions = el('p', { class: 'actions' }, el('a', { href: `#/files/${turn.turn_id}` }, 'files at this turn'));
  if (turn.data !== undefined) actions.append(copy(JSON.stringify(turn.data, null, 2), 'copy as JSON'));
  if (turn.content_hash_b3 !== undefined) actions.append(el('a', { href: `#/blob/${turn.content_hash_b3}` }, 'bytes'));
  return el('div', { class: 'raw-facts' }, list, actions);
}
