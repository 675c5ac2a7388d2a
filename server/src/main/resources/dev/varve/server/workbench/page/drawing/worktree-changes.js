// SPDX-License-Identifier: Apache-2.0
import { ApiError, getText } from '../data/api.js';
import { plan } from '../data/restores.js';
import { failure, state } from '../shell/states.js';
import { twoTexts } from './diff.js';
import { el, replace } from './dom.js';
import { number, size, visible } from './text.js';

/** @typedef {import('../data/restores.js').PlannedPath} PlannedPath */

const BYTES_MAX = 1_000_000;

/** The changes of paths whose content is not known, such as folders: the opposite of what a restore would do. */
const SINCE = { create: 'removed', change: 'modified', permit: 'modified', delete: 'added', keep: 'kept' };

/** @param {PlannedPath} path */
function kindOf({ action, content_then: then, content_now: now }) {
  if (then === null && now === null) return SINCE[action];
  return then === null ? 'added' : now === null ? 'removed' : 'modified';
}

/**
 * What became of the files of a turn in the folder from which they were taken. The plan of a restore has captured the folder as it is
 * now, so both contents are blobs of the store.
 *
 * @param {string} turn
 * @param {AbortSignal} signal
 * @returns {Promise<HTMLElement>}
 */
export async function worktreeChanges(turn, signal) {
  const found = await plan(turn, 'restore', signal).catch((error) => {
    if (error instanceof ApiError && error.status === 404) throw new ApiError(404, `These files cannot be compared with a folder. ${error.message}`);
    throw error;
  });
  if (found.path_count === 0) return state('empty', `In ${found.root} all files are as they were.`);
  const rest = found.path_count - found.paths.length;
  return el('div', { class: 'changes' },
    el('p', {}, 'In ', el('code', { dir: 'auto' }, visible(found.root)), `, ${number(found.path_count)} path${found.path_count === 1 ? ' is' : 's are'} not as at this turn. Lines with + are in the folder now.`),
    ...found.paths.map((path) => changed(path, signal)),
    rest > 0 ? el('p', { class: 'quiet' }, `and ${number(rest)} more`) : null);
}

/** @param {PlannedPath} path @param {AbortSignal} signal */
function changed(path, signal) {
  const kind = kindOf(path);
  const box = el('details', { class: `change ${kind}`, ontoggle: () => {
    if (!box.open || box.childElementCount > 1) return;
    const place = el('div', {}, 'Loading …');
    box.append(place);
    difference(path, signal).then((shown) => replace(place, shown), (error) => { if (!signal.aborted) replace(place, failure(error)); });
  } }, el('summary', {}, el('span', { class: 'kind' }, kind), ' ', el('code', { dir: 'auto' }, visible(path.path)), path.why === '' ? null : el('span', { class: 'quiet' }, ` (${visible(path.why)})`)));
  return box;
}

/** @param {PlannedPath} path @param {AbortSignal} signal */
async function difference(path, signal) {
  if (path.content_then === path.content_now) return el('p', { class: 'quiet' }, path.content_now === null ? 'There is no text to compare.' : 'The content is the same; the permissions differ.');
  const side = async (/** @type {string | null} */ hash) => (hash === null ? { text: '', isText: true, isWhole: true } : getText(`v1/blobs/${hash}`, BYTES_MAX, signal));
  const [was, is] = await Promise.all([side(path.content_then), side(path.content_now)]);
  if (!was.isText || !is.isText) return el('p', { class: 'quiet' }, 'This is no text.');
  if (!was.isWhole || !is.isWhole) return el('p', { class: 'quiet' }, `Larger than ${size(BYTES_MAX)}: not compared here.`);
  return twoTexts(was.text, is.text);
}
