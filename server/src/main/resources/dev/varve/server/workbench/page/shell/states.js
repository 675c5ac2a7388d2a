// SPDX-License-Identifier: Apache-2.0
import { ApiError, connection } from '../data/api.js';
import { el, replace } from '../drawing/dom.js';
import { visible } from '../drawing/text.js';

/** @typedef {'loading' | 'empty' | 'slow' | 'gone' | 'busy' | 'damaged' | 'missing' | 'unauthorised' | 'refused'} StateName */

const TITLES = {
  loading: 'Loading …',
  empty: 'Nothing here yet',
  slow: 'This takes longer than usual …',
  gone: 'The service does not answer',
  busy: 'The service is busy',
  damaged: 'This cannot be read',
  missing: 'There is no such thing in this store',
  unauthorised: 'A token is needed',
  refused: 'The service refused the request',
};

const AGAIN = 'It is asked again every second; the view comes back by itself.';
const AGAIN_MS = 1_000;

/**
 * @param {StateName} name
 * @param {string} [text]
 * @param {...import('../drawing/dom.js').Child} more
 */
export function state(name, text = '', ...more) {
  return el('div', { class: `state ${name}`, role: name === 'loading' || name === 'slow' ? 'status' : 'alert', 'data-state': name }, el('p', { class: 'state-title' }, TITLES[name]), text === '' ? null : el('p', {}, visible(text)), ...more);
}

/** @param {unknown} error */
export function failure(error) {
  if (!(error instanceof ApiError)) return state('refused', error instanceof Error ? error.message : String(error));
  if (error.status === 0) return state('gone', AGAIN);
  if (error.status === 503) return state('busy', `${error.message}. ${AGAIN}`);
  if (error.status === 401) return state('unauthorised', 'Enter a token above.');
  if (error.status === 404) return state('missing', error.message);
  if (error.status >= 500) return state('damaged', error.message, el('p', {}, 'The command ', el('code', {}, 'varve check'), ' names all that is damaged.'));
  return state('refused', error.message);
}

/**
 * Shows a place while what belongs there is loaded, then shows it; asks again once a service that was gone is back.
 *
 * @template T
 * @param {Element} place
 * @param {AbortSignal} signal
 * @param {() => Promise<T>} read
 * @param {(found: T) => void} show
 * @returns {Promise<void>}
 */
export async function load(place, signal, read, show) {
  const soon = setTimeout(() => replace(place, state('loading')), 150);
  const late = setTimeout(() => replace(place, state('slow')), 4_000);
  const stop = () => {
    clearTimeout(soon);
    clearTimeout(late);
  };
  try {
    const found = await read();
    stop();
    if (signal.aborted) return;
    place.replaceChildren();
    show(found);
  } catch (error) {
    stop();
    if (signal.aborted) return;
    replace(place, failure(error));
    whenBack(error, signal, () => void load(place, signal, read, show));
  }
}

/**
 * Runs a task once the reason of a failure may be over: once a service is back that was gone, or after a moment if it is busy.
 *
 * @param {unknown} error
 * @param {AbortSignal} signal
 * @param {() => void} task
 */
export function whenBack(error, signal, task) {
  if (!(error instanceof ApiError) || signal.aborted) return;
  if (error.status === 0) connection.addEventListener('back', task, { once: true, signal });
  if (error.status === 503) setTimeout(() => { if (!signal.aborted) task(); }, AGAIN_MS);
}
