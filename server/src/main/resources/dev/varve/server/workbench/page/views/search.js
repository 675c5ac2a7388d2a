// SPDX-License-Identifier: Apache-2.0
import { ApiError, getJson, query } from '../data/api.js';
import { ContextSizes } from '../data/context-sizes.js';
import { search as ask } from '../data/contexts.js';
import { contextRow, showSize } from '../drawing/context-row.js';
import { el, replace } from '../drawing/dom.js';
import { foundTurns } from '../drawing/found-turns.js';
import { number, visible } from '../drawing/text.js';
import { load, state } from '../shell/states.js';

const FIELDS = ['title', 'tag', 'label', 'user', 'service', 'host', 'created', 'depth', 'is_live', 'id', 'parent', 'root', 'trace_id'];
const ROWS_MAX = 500;
const HITS_MAX = 100;
const EXAMPLES = ['created > "-24h"', 'title ^~= "fix"', 'depth > 100 AND NOT label = "archived"', 'is_live = true'];

/**
 * Search of turns by their words, and of contexts by CQL.
 *
 * @param {import('./views.js').Place} place
 */
export function search({ host, params, scope }) {
  document.title = 'Search · Varve';
  const input = el('input', { type: 'search', id: 'q', value: params.get('words') ?? params.get('q') ?? '', 'data-main': '', placeholder: 'words, or a query in CQL', autocomplete: 'off', spellcheck: 'false' });
  const kind = el('select', { id: 'kind', onchange: () => { remember(); run(); } }, el('option', { value: 'words', selected: !params.has('q') }, 'turns, by words'), el('option', { value: 'q', selected: params.has('q') }, 'contexts, by CQL'));
  const remember = () => history.replaceState(null, '', `#/search${query({ [kind.value]: input.value })}`);
  const place = el('div', { class: 'padded scrolls' });
  const form = el('form', { class: 'filters', onsubmit: (/** @type {Event} */ e) => { e.preventDefault(); remember(); run(); } }, el('label', { for: 'q' }, 'Search'), input, el('label', { for: 'kind' }, 'for'), kind, el('button', { type: 'submit' }, 'Search'));
  const add = (/** @type {string} */ text) => el('button', { type: 'button', class: 'word chip', onclick: () => { input.value = input.value.trim() === '' ? text : `${input.value.trim()} AND ${text}`; kind.value = 'q'; input.focus(); } }, text);
  replace(host, el('h1', { class: 'unseen' }, 'Search'), form, place);

  function run() {
    const asked = input.value.trim();
    if (asked !== '' && kind.value === 'words') {
      words(asked);
      return;
    }
    if (asked === '') {
      replace(place, el('p', {}, 'Fields: ', ...FIELDS.map((field) => add(`${field} = `))), el('p', {}, 'Examples: ', ...EXAMPLES.map(add)));
      return;
    }
    void load(place, scope.signal, () => ask(asked, scope.signal).catch((error) => {
      if (error instanceof ApiError && error.status === 400) return error;
      throw error;
    }), (found) => {
      if (found instanceof ApiError) {
        place.append(el('div', { class: 'trouble', role: 'alert' }, visible(found.message)));
        return;
      }
      if (found.contexts.length === 0) {
        place.append(state('empty', 'No context fits.'));
        return;
      }
      const listed = found.contexts.slice(0, ROWS_MAX).map((each) => ({ each, row: contextRow(each, (word) => { location.hash = `#/contexts${query({ q: word })}`; }) }));
      const sizes = new ContextSizes(scope.signal, () => { for (const { each, row } of listed) showSize(row, sizes.of(each)); });
      sizes.want(listed.map(({ each }) => each));
      place.append(el('p', { class: 'quiet', role: 'status' }, `${number(found.total_count)} found in ${number(found.elapsed_ms)} ms${found.incomplete ? '; there was no time to look at all' : ''}${found.total_count > ROWS_MAX ? `; the newest ${number(ROWS_MAX)} are listed` : ''}`),
        ...listed.map(({ row }) => row));
    });
  }
  /** @param {string} asked */
  function words(asked) {
    void load(place, scope.signal, () => getJson(`v1/search${query({ q: asked, limit: HITS_MAX })}`, scope.signal), (found) => {
      place.append(el('p', { class: 'quiet', role: 'status' }, `${number(found.total_count)} turns found${found.turns_indexed < found.turns ? `, in the first ${number(found.turns_indexed)} of ${number(found.turns)}; the rest is read now` : ''}${found.total_count > found.hits.length ? `; the best ${number(found.hits.length)} are listed` : ''}`),
        found.hits.length === 0 ? state('empty', 'No turn fits.') : foundTurns(found.hits));
      if (found.turns_indexed < found.turns) {
        const again = setTimeout(() => { if (input.value.trim() === asked && kind.value === 'words') run(); }, 1_000);
        scope.onend(() => clearTimeout(again));
      }
    });
  }
  run();
  input.focus();
}
