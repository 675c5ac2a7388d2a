// SPDX-License-Identifier: Apache-2.0
import { getJson, query } from './api.js';

/** @typedef {import('./contexts.js').Context} Context */

const ASKED_MAX = 100;
const QUIET_MS = 150;

/**
 * The sizes of the contexts that somebody looks at: asked for once a list rests, because a size is counted from the headers of all
 * turns and must not hold up the list.
 */
export class ContextSizes {
  /**
   * @param {AbortSignal} signal
   * @param {() => void} onnews some sizes came
   */
  constructor(signal, onnews) {
    this.signal = signal;
    this.onnews = onnews;
    /** By context and head: a context that grew has another size. @type {Map<string, number>} */
    this.known = new Map();
    /** @type {Context[]} */
    this.wanted = [];
    this.timer = 0;
    this.isAsking = false;
    signal.addEventListener('abort', () => clearTimeout(this.timer));
  }

  /** @param {Context} context */
  of(context) {
    return this.known.get(key(context));
  }

  /** @param {Context[]} contexts that are seen now; others are wanted no more */
  want(contexts) {
    this.wanted = contexts.filter((each) => !this.known.has(key(each)));
    clearTimeout(this.timer);
    if (this.wanted.length > 0 && !this.signal.aborted) this.timer = window.setTimeout(() => void this.ask(), QUIET_MS);
  }

  async ask() {
    if (this.isAsking) return;
    this.isAsking = true;
    const asked = this.wanted.slice(0, ASKED_MAX);
    try {
      const { sizes, incomplete } = await getJson(`v1/contexts/sizes${query({ ids: asked.map((each) => each.context_id).join(',') })}`, this.signal);
      const bytes = new Map(sizes.map((/** @type {{context_id: string, payload_bytes: number}} */ each) => [each.context_id, each.payload_bytes]));
      for (const each of asked) {
        const found = bytes.get(each.context_id);
        if (found !== undefined) this.known.set(key(each), found);
      }
      if (!incomplete) this.wanted = this.wanted.filter((each) => !asked.includes(each)); // what is missing then cannot be read
      if (!this.signal.aborted) this.onnews();
      this.want(this.wanted);
    } catch {
      // the list stands without sizes; the next look at it asks again
    } finally {
      this.isAsking = false;
    }
  }
}

/** @param {Context} context */
function key(context) {
  return `${context.context_id} ${context.head_turn_id}`;
}
