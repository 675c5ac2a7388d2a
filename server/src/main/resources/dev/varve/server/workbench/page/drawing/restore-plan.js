// SPDX-License-Identifier: Apache-2.0
import { el } from './dom.js';
import { number, visible } from './text.js';

/**
 * @typedef {{path: string, action: 'create' | 'change' | 'permit' | 'delete' | 'keep', why: string, edited_since: boolean}} PlannedPath
 * @typedef {{root: string, snapshot: string, changes: number, size: string, path_count: number, paths: PlannedPath[]}} RestorePlan
 */

/** The look of an action: those of changes between trees. */
const LOOKS = { create: 'added', change: 'modified', permit: 'modified', delete: 'removed', keep: 'quiet' };

/**
 * What a restore would change.
 *
 * @param {RestorePlan} plan
 */
export function restorePlan(plan) {
  const rest = plan.path_count - plan.paths.length;
  return el('div', { class: 'changes' },
    el('p', {}, 'In ', el('code', { dir: 'auto' }, visible(plan.root)), plan.path_count === 0 ? ': nothing differs.' : `: ${plan.size}`),
    el('ul', { class: 'entries' }, ...plan.paths.map((each) => el('li', { class: `change ${LOOKS[each.action]}` },
      el('span', { class: 'kind' }, each.action), ' ', el('code', { dir: 'auto' }, visible(each.path)),
      each.why === '' ? null : el('span', { class: 'quiet' }, ` (${visible(each.why)})`),
      each.edited_since && each.action !== 'keep' ? el('span', { class: 'edited' }, ' edited since the last snapshot') : null))),
    rest > 0 ? el('p', { class: 'quiet' }, `and ${number(rest)} more: varve rewind restore --dry-run lists all`) : null,
    plan.changes === 0 ? null : el('div', {}, el('p', {}, 'Nothing is restored from this page. In the folder, this command shows the plan once more, asks, restores, and can be undone:'), el('pre', { tabindex: 0, 'aria-label': 'command' }, `varve rewind restore ${plan.snapshot.slice(0, 12)}`)));
}
