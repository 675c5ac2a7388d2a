// SPDX-License-Identifier: Apache-2.0
import { carryOut, plan } from '../data/restores.js';
import { el, replace } from '../drawing/dom.js';
import { restoreOutcome, restorePlan } from '../drawing/restore-plan.js';
import { number, visible } from '../drawing/text.js';
import { load } from '../shell/states.js';

/**
 * @typedef {import('../data/restores.js').RestoreKind} RestoreKind
 * @typedef {import('../data/restores.js').RestorePlan} RestorePlan
 */

/** @type {Record<RestoreKind, {ask: string, begin: string, agree: string, done: string}>} */
const WORDS = {
  restore: { ask: 'Plan a restore', begin: 'Restore …', agree: 'Restore', done: 'restored' },
  undo: { ask: 'Plan an undo of the last restore', begin: 'Undo …', agree: 'Undo', done: 'brought back' },
};

/**
 * The restore of the files at a turn: a plan, and if the service may, its confirmation and an undo.
 *
 * @param {HTMLElement} body
 * @param {string} turn
 * @param {AbortSignal} signal
 */
export function restore(body, turn, signal) {
  replace(body, el('p', {}, 'A plan reads the folder on this machine from which these files were taken, captures its files as they are now, and compares. It changes no file.'),
    el('p', {}, planner('restore'), ' ', planner('undo')));

  /** @param {RestoreKind} kind */
  function planner(kind) {
    return el('button', { type: 'button', onclick: () => ask(kind) }, WORDS[kind].ask);
  }

  /** @param {RestoreKind} kind */
  function ask(kind) {
    void load(body, signal, () => plan(turn, kind, signal), (found) => body.append(
      el('h2', {}, kind === 'restore' ? 'What a restore would change' : 'What an undo of the last restore would change'),
      restorePlan(found, kind), found.changes > 0 && found.is_allowed ? confirmation(kind, found) : ''));
  }

  /** @param {RestoreKind} kind @param {RestorePlan} found */
  function confirmation(kind, found) {
    const paths = `${number(found.changes)} path${found.changes === 1 ? '' : 's'}`;
    const words = WORDS[kind];
    const place = el('div', { class: 'confirmation' });
    const begin = el('button', { type: 'button', onclick: () => {
      const cancel = el('button', { type: 'button', onclick: () => { replace(place, begin); begin.focus(); } }, 'Cancel');
      replace(place, el('p', { role: 'alert' }, `${paths} in `, el('code', { dir: 'auto' }, visible(found.root)), ' will be changed exactly as the plan above says, or none if a file changed since. The files as they are now are captured first, so that this can be undone.'),
        el('p', {}, el('button', { type: 'button', onclick: () => void run(kind, found, place) }, `${words.agree} ${paths}`), ' ', cancel));
      cancel.focus(); // a key that was pressed twice must not restore
    } }, words.begin);
    replace(place, begin);
    return place;
  }

  /** @param {RestoreKind} kind @param {RestorePlan} found @param {HTMLElement} place */
  async function run(kind, found, place) {
    replace(place, el('p', { role: 'status' }, 'At work. The restore goes on even if this page is left.'));
    try {
      const outcome = await carryOut(turn, kind, found.plan_digest, signal);
      if (signal.aborted) return;
      replace(body, restoreOutcome(outcome, WORDS[kind].done), el('p', {}, planner('undo'), ' ', planner('restore'), ' ', el('a', { href: `#/files/${turn}` }, 'all files')));
    } catch (error) {
      if (!signal.aborted) replace(place, el('p', { class: 'trouble', role: 'alert' }, visible(error instanceof Error ? error.message : String(error))), el('p', {}, planner(kind)));
    }
  }
}
