// SPDX-License-Identifier: Apache-2.0
import { blob } from './blob.js';
import { compare } from './compare.js';
import { contexts } from './contexts.js';
import { conversation } from './conversation.js';
import { files } from './files.js';
import { search } from './search.js';
import { storage } from './storage.js';
import { tree } from './tree.js';

/**
 * @typedef {object} Place
 * @property {HTMLElement} host
 * @property {string[]} path the words behind the view's name
 * @property {URLSearchParams} params
 * @property {import('../shell/scope.js').Scope} scope
 */

/** @type {Record<string, ((place: Place) => void) | undefined>} */
export const VIEWS = { blob, compare, context: conversation, contexts, files, search, storage, tree };
