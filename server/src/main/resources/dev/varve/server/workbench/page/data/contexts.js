// SPDX-License-Identifier: Apache-2.0
import { getJson, query } from './api.js';
import { FIRST_LIST } from './request.js';

/**
 * @typedef {object} Context
 * @property {string} context_id
 * @property {string} head_turn_id
 * @property {number} head_depth
 * @property {number} created_at_unix_ms the time of the last activity
 * @property {number} context_created_at_unix_ms
 * @property {number} [last_turn_at_unix_ms]
 * @property {string} [base_turn_id]
 * @property {boolean} is_live
 * @property {string} [client_tag]
 * @property {string} [title]
 * @property {string} [agent]
 * @property {string} [project]
 * @property {string} [folder]
 * @property {string[]} [labels]
 * @property {any} [provenance]
 * @property {{parent_context_id: string | null, root_context_id: string | null, child_context_count: number}} [lineage]
 */

const PAGE = 500;
const FIRST = Number(new URLSearchParams(FIRST_LIST.split('?')[1]).get('limit'));

/** How many turns a context shows.
 *
 * @param {Context} context
 */
export function turnCount(context) {
  return context.head_turn_id === '0' ? 0 : context.head_depth + 1;
}

/**
 * The time that people look for: that of the last turn; of an empty context, that of its creation.
 *
 * @param {Context} context
 */
export function lastAt(context) {
  return context.last_turn_at_unix_ms ?? context.created_at_unix_ms;
}

/**
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<Context>}
 */
export function context(id, signal) {
  return getJson(`v1/contexts/${encodeURIComponent(id)}`, signal);
}

/** The list of all contexts, read page by page, the most recently active first. */
export class ContextPages {
  constructor() {
    /** @type {Context[]} */
    this.all = [];
    this.isComplete = false;
    /** @type {Promise<void> | null} */
    this.reading = null;
    this.after = '';
  }

  /** @param {AbortSignal} signal */
  more(signal) {
    if (this.isComplete) return Promise.resolve();
    this.reading ??= this.read(signal).finally(() => { this.reading = null; });
    return this.reading;
  }

  /** @param {AbortSignal} signal */
  async read(signal) {
    const isFirst = this.all.length === 0;
    const limit = isFirst ? FIRST : PAGE;
    const page = await getJson(isFirst ? FIRST_LIST : `v1/contexts${query({ limit, after: this.after })}`, signal);
    const known = new Set(this.all.map((each) => each.context_id));
    for (const each of page.contexts) if (!known.has(each.context_id)) this.all.push(each);
    this.after = page.next_after ?? page.contexts.at(-1)?.context_id ?? '';
    this.isComplete = page.contexts.length < limit && page.incomplete !== true;
  }
}

/**
 * @param {string} cql
 * @param {AbortSignal} signal
 * @returns {Promise<{contexts: Context[], total_count: number, elapsed_ms: number, incomplete: boolean}>}
 */
export function search(cql, signal) {
  return getJson(`v1/contexts/search${query({ q: cql, limit: 10_000 })}`, signal);
}
