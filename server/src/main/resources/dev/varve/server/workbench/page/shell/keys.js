// SPDX-License-Identifier: Apache-2.0
import { el, replace } from '../drawing/dom.js';

/** @typedef {import('./scope.js').Key} Key */

/** The keys of the page: those that always work, and those of the view. */
export class Keys {
  /** @param {() => import('./scope.js').Scope} scope of the view that is shown */
  constructor(scope) {
    this.scope = scope;
    /** @type {Key[]} */
    this.all = [];
    this.list = el('dl', { class: 'keys' });
    this.dialog = el('dialog', { 'aria-label': 'Keys' }, el('h2', {}, 'Keys'), this.list, el('button', { type: 'button', onclick: () => this.dialog.close() }, 'Close'));
    this.always('?', 'this list', () => this.show());
    document.addEventListener('keydown', (event) => this.take(event));
  }

  /**
   * @param {string} keys
   * @param {string} says
   * @param {() => void} run
   */
  always(keys, says, run) {
    this.all.push({ keys, says, run });
  }

  /** @param {KeyboardEvent} event */
  take(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || this.dialog.open) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) {
      if (event.key === 'Escape') target.blur();
      return;
    }
    for (const key of [...this.scope().keys, ...this.all]) {
      if (key.keys.split(' ').includes(event.key)) {
        event.preventDefault();
        key.run();
        return;
      }
    }
  }

  show() {
    replace(this.list, ...[...this.scope().keys, ...this.all, { keys: 'Escape', says: 'leave a field or this list' }].flatMap((key) => [el('dt', {}, ...key.keys.split(' ').map((each) => el('kbd', {}, each))), el('dd', {}, key.says)]));
    this.dialog.showModal();
  }
}
