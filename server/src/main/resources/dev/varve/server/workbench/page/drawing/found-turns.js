// SPDX-License-Identifier: Apache-2.0
import { el } from './dom.js';
import { number, oneLine, time, visible } from './text.js';

/** @typedef {{context_id: string, turn_id?: string, kind: string, agent?: string, project?: string, title?: string, tool?: string, exit?: number, created_at_unix_ms: number, snippet?: string, marks?: {from: number, to: number}[]}} Hit */

/**
 * Turns that a search found, grouped by their contexts, in the order of each context's best turn.
 *
 * @param {Hit[]} hits
 * @returns {HTMLElement}
 */
export function foundTurns(hits) {
  /** @type {Map<string, Hit[]>} */
  const groups = new Map();
  for (const hit of hits) groups.set(hit.context_id, [...(groups.get(hit.context_id) ?? []), hit]);
  return el('div', {}, ...[...groups].map(([id, of]) => el('section', { class: 'found' },
    el('h2', { dir: 'auto' }, el('a', { href: `#/context/${id}` }, oneLine(of[0]?.title ?? '', 120) || `context ${id}`), ...[of[0]?.agent, of[0]?.project].filter((word) => word !== undefined && word !== '').map((word) => el('span', { class: 'fact' }, oneLine(String(word), 40))), el('span', { class: 'quiet' }, ` ${number(of.length)}`)),
    ...of.map((hit) => el('p', {}, el('a', { href: hit.turn_id === undefined ? `#/context/${id}` : `#/context/${id}?turn=${hit.turn_id}` }, visible(hit.tool ?? hit.kind)), ' ', hit.exit === undefined ? null : el('span', { class: hit.exit === 0 ? 'exit good' : 'exit bad' }, `exit status ${hit.exit} `), snippet(hit), ' ', el('span', { class: 'quiet' }, time(hit.created_at_unix_ms)))))));
}

/** @param {Hit} hit */
function snippet(hit) {
  const text = hit.snippet ?? '';
  const box = el('span', { class: 'snippet', dir: 'auto' });
  let at = 0;
  for (const mark of hit.marks ?? []) {
    if (mark.from < at) continue;
    box.append(visible(text.slice(at, mark.from)), el('mark', {}, visible(text.slice(mark.from, mark.to))));
    at = mark.to;
  }
  box.append(visible(text.slice(at)));
  return box;
}
