// SPDX-License-Identifier: Apache-2.0

const TOKEN = 'varve.token';

/** The service's own address, with a slash at its end. */
const base = new URL('./', document.baseURI);

/** @param {string} token */
export function useToken(token) {
  localStorage.setItem(TOKEN, token);
}

export function hasToken() {
  return localStorage.getItem(TOKEN) !== null;
}

/**
 * @param {string} path below the service's address
 * @param {RequestInit} [options]
 * @returns {Promise<Response>}
 */
export function request(path, options = {}) {
  const token = localStorage.getItem(TOKEN);
  return fetch(new URL(path, base), { ...options, headers: { ...(token === null ? {} : { Authorization: `Bearer ${token}` }), ...options.headers }, cache: 'no-store', credentials: 'same-origin' });
}

/** The beginning of the list of contexts, which most visits to the page begin with. */
export const FIRST_LIST = 'v1/contexts?limit=100';

/**
 * The request for it, on its way while the modules are read that show it: this module is the first that the page runs.
 *
 * @type {Promise<Response> | null}
 */
let begun = isFirstView() ? request(FIRST_LIST) : null;
begun?.catch(() => {}); // reported to the one that takes it

function isFirstView() {
  const [path = '', search = ''] = location.hash.replace(/^#\/?/, '').split('?');
  return (path === '' || path === 'contexts') && !new URLSearchParams(search).has('cql');
}

/**
 * A request that was begun before anybody asked; once.
 *
 * @param {string} path
 */
export function takeBegun(path) {
  const taken = path === FIRST_LIST ? begun : null;
  if (taken !== null) begun = null;
  return taken;
}
