// SPDX-License-Identifier: Apache-2.0
import { el } from './dom.js';
import { number, visible } from './text.js';

/** @typedef {import('../data/restores.js').RestorePlan} RestorePlan */

/** The look of an action: those of changes between trees. */
const LOOKS = { create: 'added', change: 'modified', permit: 'modified', delete: 'removed', keep: 'quiet' };

/**
 * What a restore would change; where the service restores nothing, the command that does.
 *
 * @param {RestorePlan} plan
 * @param {import('../data/restores.js').RestoreKind} kind
 */
export function restorePlan(plan, kind) {
  const command = kind === 'undo' ? 'varve rewind undo' : `varve rewind restore ${plan.snapshot.slice(0, 12)}`;
  const rest = plan.path_count - plan.paths.length;
  return el('div', { class: 'changes' },
    el('p', {}, 'In ', el('code', { dir: 'auto' }, visible(plan.root)), plan.path_count === 0 ? ': nothing differs.' : `: ${plan.size}`),
    el('ul', { class: 'entries' }, ...plan.paths.map((each) => el('li', { class: `change ${LOOKS[each.action]}` },
      el('span', { class: 'kind' }, each.action), ' ', el('code', { dir: 'auto' }, visible(each.path)),
      each.why === '' ? null : el('span', { class: 'quiet' }, ` (${visible(each.why)})`),
      each.edited_since && each.action !== 'keep' ? el('span', { class: 'edited' }, ' edited since the last snapshot') : null))),
    rest > 0 ? el('p', { class: 'quiet' }, `and ${number(rest)} more: ${command} --dry-run lists all`) : null,
    plan.changes === 0 || plan.is_allowed ? null : el('div', {}, el('p', {}, 'Nothing is restored from this page. In the folder, this command shows the plan once more, asks, restores, and can be undone:'), el('pre', { tabindex: 0, 'aria-label': 'command' }, command)));
}

/**
 * What a restore did.
 *
 * @param {import('../data/restores.js').RestoreOutcome} outcome
 * @param {string} done
 */
export function restoreOutcome(outcome, done) {
  const count = outcome.changes - outcome.failure_count;
  const rest = outcome.failure_count - outcome.failures.length;
  return el('div', { class: 'outcome', role: 'status' },
    el('p', {}, el('strong', { class: outcome.failure_count === 0 ? 'good' : '' }, `${number(count)} path${count === 1 ? '' : 's'} ${done}`), ' in ', el('code', { dir: 'auto' }, visible(outcome.root))),
    outcome.failure_count === 0 ? null : el('p', { class: 'trouble' }, `${number(outcome.failure_count)} not as planned:`),
    outcome.failure_count === 0 ? null : el('ul', { class: 'entries' }, ...outcome.failures.map((each) => el('li', {}, el('code', { dir: 'auto' }, visible(each.path)), ` ${visible(each.failure)}`))),
    rest > 0 ? el('p', { class: 'quiet' }, `and ${number(rest)} more`) : null);
}
