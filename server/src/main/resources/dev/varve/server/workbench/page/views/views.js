// SPDX-License-Identifier: Apache-2.0
import { ApiError, lost } from '../data/api.js';
import { announce } from '../shell/announce.js';
import { load } from '../shell/states.js';
import { contexts } from './contexts.js';

/**
 * @typedef {object} Place
 * @property {HTMLElement} host
 * @property {string[]} path the words behind the view's name
 * @property {URLSearchParams} params
 * @property {import('../shell/scope.js').Scope} scope
 */

/** @typedef {(place: Place) => void} View */

/**
 * A view whose modules the first view does not wait for.
 *
 * @param {() => Promise<View>} read
 * @returns {View}
 */
function later(read) {
  return (place) => void load(place.host, place.scope.signal, () => Promise.all([read(), announce()]).then(([view]) => view, () => {
    lost();
    throw new ApiError(0, 'the service does not answer');
  }), (view) => view(place));
}

/** @type {Record<string, View | undefined>} */
export const VIEWS = {
  blob: later(async () => (await import('./blob.js')).blob),
  compare: later(async () => (await import('./compare.js')).compare),
  context: later(async () => (await import('./conversation.js')).conversation),
  contexts,
  files: later(async () => (await import('./files.js')).files),
  search: later(async () => (await import('./search.js')).search),
  storage: later(async () => (await import('./storage.js')).storage),
  tree: later(async () => (await import('./tree.js')).tree),
};
