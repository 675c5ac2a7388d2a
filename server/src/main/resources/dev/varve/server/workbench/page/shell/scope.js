// SPDX-License-Identifier: Apache-2.0

/** @typedef {{keys: string, says: string, run: () => void}} Key */

/** The time for which a view is shown: its requests end with it, and so do its keys and listeners. */
export class Scope {
  constructor() {
    this.ending = new AbortController();
    /** @type {Key[]} */
    this.keys = [];
  }

  get signal() {
    return this.ending.signal;
  }

  /** @param {() => void} task runs when the view is left */
  onend(task) {
    this.signal.addEventListener('abort', task, { once: true });
  }

  /**
   * @param {string} keys as `KeyboardEvent.key` names them; alternatives are separated by blanks
   * @param {string} says
   * @param {() => void} run
   */
  key(keys, says, run) {
    this.keys.push({ keys, says, run });
  }

  end() {
    this.ending.abort();
  }
}
