// SPDX-License-Identifier: Apache-2.0
import { getJson, query } from './api.js';

/**
 * @typedef {object} Turn
 * @property {string} turn_id
 * @property {string} parent_turn_id
 * @property {number} depth
 * @property {number} created_at_unix_ms
 * @property {{type_id: string, type_version: number}} declared_type
 * @property {any} [data]
 * @property {{message: string}} [projection_error]
 * @property {{message: string}} [payload_error]
 * @property {boolean} [tombstone]
 * @property {string} [fs_root_hash]
 * @property {string} [content_hash_b3]
 * @property {number} [uncompressed_len]
 * @property {number} [encoding]
 */

const PAGE = 50;
/** A page has at most that many; a turn with a larger payload is a page of its own. */
const PAGES_KEPT = 60;

/** The turns of one context by their depths, read page by page where they are looked at. */
export class TurnWindow {
  /**
   * @param {string} context
   * @param {number} count
   */
  constructor(context, count) {
    this.context = context;
    this.count = count;
    /** @type {Map<number, Turn[]>} */
    this.pages = new Map();
    /** @type {Map<number, Promise<boolean>>} */
    this.reading = new Map();
  }

  /**
   * @param {number} depth
   * @returns {Turn | null} null if it is not here yet
   */
  at(depth) {
    const page = Math.floor(depth / PAGE);
    return this.pages.get(page)?.[depth - page * PAGE] ?? null;
  }

  /**
   * Reads what is missing between two depths.
   *
   * @param {number} first
   * @param {number} last
   * @param {AbortSignal} signal
   * @returns {Promise<number[]>} the pages that came
   */
  async ensure(first, last, signal) {
    /** @type {number[]} */
    const came = [];
    const from = Math.max(0, Math.floor(first / PAGE));
    const to = Math.floor(Math.max(0, Math.min(last, this.count - 1)) / PAGE);
    await Promise.all(Array.from({ length: to - from + 1 }, (_, i) => from + i).map(async (page) => {
      const there = this.pages.get(page);
      const wanted = Math.min(PAGE, this.count - page * PAGE);
      if (there !== undefined && there.length >= wanted) return;
      let reading = this.reading.get(page);
      if (reading === undefined) {
        reading = this.read(page, signal).finally(() => this.reading.delete(page));
        this.reading.set(page, reading);
      }
      if (await reading) came.push(page);
    }));
    return came;
  }

  /**
   * @param {number} page
   * @param {AbortSignal} signal
   */
  async read(page, signal) {
    const answer = await getJson(`v1/contexts/${this.context}/turns${query({ start_depth: String(page * PAGE), limit: PAGE, view: 'both', bytes_render: 'len_only' })}`, signal);
    this.pages.set(page, answer.turns);
    for (const old of this.pages.keys()) {
      if (this.pages.size <= PAGES_KEPT) break;
      if (Math.abs(old - page) > 3) this.pages.delete(old);
    }
    return true;
  }

  /** @param {number} page */
  static depths(page) {
    return { first: page * PAGE, last: page * PAGE + PAGE - 1 };
  }
}

/**
 * @param {string} context
 * @param {string} turn
 * @param {AbortSignal} signal
 * @returns {Promise<Turn>}
 */
export async function oneTurn(context, turn, signal) {
  const answer = await getJson(`v1/contexts/${context}/turns${query({ turn_id: turn, view: 'both', bytes_render: 'len_only' })}`, signal);
  return answer.turns[0];
}
