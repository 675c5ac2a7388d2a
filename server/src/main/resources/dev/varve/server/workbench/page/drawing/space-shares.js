// SPDX-License-Identifier: Apache-2.0
import { bar, card } from './charts.js';
import { el } from './dom.js';
import { number, oneLine, size } from './text.js';

/** @typedef {import('../data/surveys.js').Share} Share */

const ROWS_FIRST = 10;

/**
 * The space by agent, project and kind.
 *
 * @param {import('../data/surveys.js').Space} space
 * @param {number} rawBytes of all blobs
 */
export function spaceShares(space, rawBytes) {
  const { all } = space;
  const rest = rawBytes - all.kept_bytes;
  return el('div', {},
    el('div', { class: 'cards' },
      card('what turns have', size(all.content_bytes), `${number(all.turns)} turns of ${number(all.contexts)} contexts`),
      card('kept', size(all.kept_bytes), `sharing saves ${saved(all)}`),
      rest > 0 ? card('beside that', size(rest), 'attachments, hidden versions, what no context leads to') : null),
    space.exact ? null : el('p', { class: 'quiet' }, 'There are more contents than the memory holds names of: some that are shared count more than once.'),
    space.unreadable === 0 ? null : el('p', { class: 'trouble' }, `${number(space.unreadable)} contents could not be read and are not counted. The check below names what is damaged.`),
    el('div', { class: 'shares' },
      table('by agent', space.agents, 'no agent named', true),
      table('by project', space.projects, 'no project named', true),
      table('by kind', space.kinds, 'no type named', false)));
}

/** @param {Share} share */
function saved(share) {
  const part = share.content_bytes > 0 ? Math.floor((100 * (share.content_bytes - share.kept_bytes)) / share.content_bytes) : 0;
  return `${size(Math.max(0, share.content_bytes - share.kept_bytes))}, ${part} %`;
}

/**
 * @param {string} title
 * @param {Share[]} shares
 * @param {string} nameless
 * @param {boolean} leads whether a name leads to the contexts
 */
function table(title, shares, nameless, leads) {
  const most = Math.max(1, ...shares.map((share) => share.content_bytes));
  const row = (/** @type {Share} */ share) => {
    const name = share.name === '' ? nameless : oneLine(share.name, 60);
    return el('tr', {},
      el('th', { scope: 'row', dir: 'auto' }, leads && share.name !== '' && !share.name.startsWith('(') ? el('a', { href: `#/contexts?${new URLSearchParams({ q: share.name })}` }, name) : name),
      el('td', { title: `kept, ${number(share.kept_bytes)} bytes` }, size(share.kept_bytes)),
      el('td', { class: 'quiet', title: `with what is shared, ${number(share.content_bytes)} bytes` }, size(share.content_bytes)),
      el('td', { class: 'quiet' }, number(share.turns)),
      el('td', { class: 'bar' }, bar(share.content_bytes / most, share.kept_bytes / most)));
  };
  const body = el('tbody', {}, ...shares.slice(0, ROWS_FIRST).map(row));
  const more = shares.length > ROWS_FIRST ? el('button', { type: 'button', class: 'more', onclick: () => { body.append(...shares.slice(ROWS_FIRST).map(row)); more?.remove(); } }, `Show all ${number(shares.length)}`) : null;
  return el('section', {}, el('h3', {}, title),
    el('div', { class: 'across', tabindex: 0, role: 'region', 'aria-label': title }, el('table', { class: 'bars' }, el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, el('span', { class: 'unseen' }, 'name')), el('th', { scope: 'col' }, 'kept'), el('th', { scope: 'col' }, 'with what is shared'), el('th', { scope: 'col' }, 'turns'), el('td', { class: 'bar' }))), body)), more);
}
