// SPDX-License-Identifier: Apache-2.0
import { ContextPages, lastAt, search, turnCount } from '../data/contexts.js';
import { ContextSizes } from '../data/context-sizes.js';
import { query } from '../data/api.js';
import { listen } from '../data/live.js';
import { contextRow, showSize } from '../drawing/context-row.js';
import { el, replace } from '../drawing/dom.js';
import { number, visible } from '../drawing/text.js';
import { VirtualList } from '../drawing/virtual-list.js';
import { announce } from '../shell/announce.js';
import { failure, load, state, whenBack } from '../shell/states.js';

/** @typedef {import('../data/contexts.js').Context} Context */

/** The other views' modules are asked for once the rows are on the screen. */
const ANNOUNCED_MS = 200;

/** @type {Record<string, (a: Context, b: Context) => number>} */
const ORDERS = {
  'last turn': (a, b) => lastAt(b) - lastAt(a),
  turns: (a, b) => turnCount(b) - turnCount(a),
  title: (a, b) => (a.title ?? '').localeCompare(b.title ?? ''),
  agent: (a, b) => (a.agent ?? '').localeCompare(b.agent ?? ''),
  project: (a, b) => (a.project ?? '').localeCompare(b.project ?? ''),
  number: (a, b) => Number(BigInt(b.context_id) - BigInt(a.context_id)),
};

/**
 * Everything that is stored, the most recently active first.
 *
 * @param {import('./views.js').Place} place
 */
export function contexts({ host, params, scope }) {
  document.title = 'Contexts · Varve';
  let pages = new ContextPages();
  /** @type {Context[]} */
  let shown = [];
  let order = params.get('sort') ?? '';
  const filter = el('input', { type: 'search', id: 'filter', placeholder: 'title, agent, project, label, number', value: params.get('q') ?? '', 'data-main': '', autocomplete: 'off', spellcheck: 'false', oninput: () => { remember(); refresh(); } });
  const cql = el('input', { type: 'search', id: 'cql', placeholder: 'tag ^= "x" AND depth > 10', value: params.get('cql') ?? '', autocomplete: 'off', spellcheck: 'false' });
  const sort = el('select', { id: 'sort', onchange: () => { order = sort.value; remember(); refresh(); } }, el('option', { value: '' }, 'activity'), ...Object.keys(ORDERS).map((name) => el('option', { value: name, selected: name === order }, name)));
  const count = el('span', { class: 'quiet', role: 'status' });
  /** How much of what was asked for is not here. */
  let missing = '';
  const refusal = el('div', {});
  const place = el('div', { class: 'fills' });
  const list = new VirtualList({
    estimatePx: 44,
    label: 'contexts',
    draw: (index) => {
      const each = shown[index];
      return each === undefined ? el('div') : contextRow(each, (word) => { filter.value = word; remember(); refresh(); }, sizes.of(each));
    },
    onrange: (first, last) => {
      if (last > shown.length - 60) more();
      sizes.want(shown.slice(first, last + 1));
    },
  });
  const sizes = new ContextSizes(scope.signal, () => {
    for (const [index, row] of list.drawn) {
      const each = shown[index];
      if (each !== undefined) showSize(row, sizes.of(each));
    }
  });
  const form = el('form', { class: 'filters', onsubmit: (/** @type {Event} */ e) => { e.preventDefault(); remember(); start(); } },
    el('label', { for: 'filter' }, 'Filter'), filter, el('label', { for: 'cql' }, 'CQL'), cql, el('button', { type: 'submit' }, 'Ask'), el('label', { for: 'sort' }, 'Order'), sort, count);
  replace(host, el('h1', { class: 'unseen' }, 'Contexts'), form, refusal, place);

  function remember() {
    history.replaceState(null, '', `#/contexts${query({ q: filter.value, cql: cql.value, sort: order })}`);
  }

  /** @param {Context} each */
  function text(each) {
    return [each.context_id, each.title, each.agent, each.project, each.client_tag, each.folder, ...(each.labels ?? [])].join('\u0001').toLowerCase();
  }

  function refresh() {
    const words = filter.value.toLowerCase().split(/\s+/).filter((word) => word !== '');
    const before = list.item(list.firstVisible()) === null ? null : shown[list.firstVisible()]?.context_id;
    shown = words.length === 0 ? [...pages.all] : pages.all.filter((each) => { const all = text(each); return words.every((word) => all.includes(word)); });
    const by = ORDERS[order];
    if (by !== undefined) shown.sort(by);
    const rest = pages.isComplete ? '' : ', more are read';
    count.textContent = words.length === 0 ? `${number(shown.length)}${pages.isComplete ? '' : ' read so far'}` : `${number(shown.length)} of ${number(pages.all.length)}${rest}`;
    count.textContent += missing;
    if (shown.length === 0 && pages.isComplete) {
      replace(place, pages.all.length === 0 && cql.value === ''
        ? state('empty', '', el('p', {}, 'Bring in what an agent did: ', el('code', {}, 'varve import pi ~/.pi/agent/sessions')))
        : state('empty', 'No context fits.'));
      return;
    }
    if (list.element.parentNode !== place) replace(place, list.element);
    list.setCount(shown.length);
    list.redraw();
    if (before !== null && list.element.scrollTop > 0) {
      const at = shown.findIndex((each) => each.context_id === before);
      if (at < 0) list.element.scrollTop = 0;
    }
    if (!pages.isComplete && (words.length > 0 || by !== undefined)) more(); // what is looked for may come later
  }

  let isReading = false;
  function more() {
    if (isReading || pages.isComplete) return;
    isReading = true;
    const reading = pages;
    reading.more(scope.signal).then(() => {
      isReading = false;
      if (reading === pages && !scope.signal.aborted) refresh();
    }, (error) => {
      isReading = false;
      if (reading !== pages || scope.signal.aborted) return;
      replace(refusal, failure(error));
      whenBack(error, scope.signal, () => { refusal.replaceChildren(); more(); });
    });
  }

  function start() {
    refusal.replaceChildren();
    missing = '';
    pages = new ContextPages();
    const asked = cql.value.trim();
    if (asked === '') {
      void load(place, scope.signal, () => pages.more(scope.signal), () => { refresh(); more(); setTimeout(announce, ANNOUNCED_MS); });
      return;
    }
    void load(place, scope.signal, () => search(asked, scope.signal).catch((error) => {
      if (error.status !== 400) throw error;
      replace(refusal, el('div', { class: 'trouble', role: 'alert' }, visible(error.message)));
      return { contexts: [], total_count: 0, elapsed_ms: 0, incomplete: false };
    }), (found) => {
      pages.all = found.contexts;
      pages.isComplete = true;
      if (found.total_count > found.contexts.length) missing = `, the newest of ${number(found.total_count)} that fit`;
      if (found.incomplete) missing += '; there was no time to look at all';
      refresh();
    });
  }

  /** A burst of appends is one new look at the beginning of the list. */
  let waiting = 0;
  scope.onend(listen((event) => {
    const isNews = ['context_created', 'turn_appended', 'context_metadata_updated', 'client_disconnected', 'refresh'].includes(event.name);
    if (!isNews || cql.value !== '' || waiting !== 0) return;
    waiting = window.setTimeout(() => {
      waiting = 0;
      const fresh = new ContextPages();
      fresh.more(scope.signal).then(() => {
        const now = new Map(fresh.all.map((each) => [each.context_id, each]));
        pages.all = [...fresh.all, ...pages.all.filter((each) => !now.has(each.context_id))];
        refresh();
      }, () => {});
    }, 500);
  }));
  scope.onend(() => { clearTimeout(waiting); list.close(); });

  let current = -1;
  const step = (/** @type {number} */ by) => {
    current = Math.max(0, Math.min(shown.length - 1, current < 0 ? list.firstVisible() : current + by));
    list.scrollTo(current, 'nearest');
    list.item(current)?.querySelector('a')?.focus({ preventScroll: true });
  };
  scope.key('j ArrowDown', 'next context', () => step(1));
  scope.key('k ArrowUp', 'previous context', () => step(-1));
  scope.key('g Home', 'first context', () => { current = 0; step(0); });
  scope.key('G End', 'last context read so far', () => { current = shown.length - 1; step(0); });
  scope.key('t', 'branches of the context', () => { const each = shown[Math.max(0, current)]; if (each) location.hash = `#/tree/${each.context_id}`; });
  start();
}
