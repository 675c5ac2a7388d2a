// SPDX-License-Identifier: Apache-2.0
import { ApiError, getJson, getText, query } from '../data/api.js';
import { chosenDiff, diffSwitch } from './diff-layout.js';
import { el, replace } from './dom.js';
import { number, size, visible } from './text.js';
import { failure, state } from '../shell/states.js';

/** @typedef {{kind: string, mode: string, size: number, hash: string}} Entry */
/** @typedef {{path: string, change: 'added' | 'removed' | 'modified', before?: Entry, after?: Entry}} Change */

const BYTES_MAX = 1_000_000;
const SHOWN_MAX = 2_000;

/**
 * The difference between the files of two turns.
 *
 * @param {string} before a turn
 * @param {string} after a turn
 * @param {AbortSignal} signal
 * @returns {Promise<HTMLElement>}
 */
export async function fileChanges(before, after, signal) {
  let answer;
  try {
    answer = await getJson(`v1/turns/${after}/fs${query({ since: before })}`, signal);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return state('empty', 'No files are attached to one of these turns or to a turn before it.');
    throw error;
  }
  /** @type {Change[]} */
  const changes = answer.changes;
  if (changes.length === 0) return state('empty', 'The files are the same.');
  const shown = changes.slice(0, SHOWN_MAX).map((change) => {
    const box = el('details', { class: `change ${change.change}`, ontoggle: () => {
      if (box.open && box.childElementCount === 1) {
        const place = el('div', {}, 'Loading …');
        box.append(place);
        content(change, before, after, signal).then((found) => replace(place, found), (error) => replace(place, failure(error)));
      }
    } }, el('summary', {}, el('span', { class: 'kind' }, change.change), ' ', el('code', { dir: 'auto' }, visible(change.path)), el('span', { class: 'quiet' }, ` ${sizes(change)}`)));
    return box;
  });
  return el('div', { class: 'changes' }, el('p', { class: 'quiet' }, `${number(changes.length)} change${changes.length === 1 ? '' : 's'}${changes.length > SHOWN_MAX ? `, the first ${number(SHOWN_MAX)} are shown` : ''} `, diffSwitch(signal)), ...shown);
}

/** @param {Change} change */
function sizes(change) {
  const was = change.before === undefined ? '' : size(change.before.size);
  const is = change.after === undefined ? '' : size(change.after.size);
  return was !== '' && is !== '' ? `${was} → ${is}` : was + is;
}

/**
 * @param {Change} change
 * @param {string} before
 * @param {string} after
 * @param {AbortSignal} signal
 */
async function content(change, before, after, signal) {
  const side = async (/** @type {Entry | undefined} */ entry, /** @type {string} */ turn) => {
    if (entry === undefined || entry.kind === 'directory' || entry.kind === 'dir') return { text: '', isText: true, isWhole: true };
    return getText(`v1/turns/${turn}/fs/${change.path.split('/').map(encodeURIComponent).join('/')}`, BYTES_MAX, signal);
  };
  const [was, is] = await Promise.all([side(change.before, before), side(change.after, after)]);
  if (!was.isText || !is.isText) return el('p', { class: 'quiet' }, 'This is no text.');
  if (!was.isWhole || !is.isWhole) return el('p', { class: 'quiet' }, `Larger than ${size(BYTES_MAX)}: not compared here.`);
  return chosenDiff(was.text, is.text, signal);
}
