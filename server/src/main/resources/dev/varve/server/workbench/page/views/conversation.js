// SPDX-License-Identifier: Apache-2.0
import { getJson, query } from '../data/api.js';
import { context as readContext, turnCount } from '../data/contexts.js';
import { listen } from '../data/live.js';
import { message, textOf } from '../data/message.js';
import { TurnWindow, oneTurn } from '../data/turns.js';
import { el, replace } from '../drawing/dom.js';
import { number, oneLine } from '../drawing/text.js';
import { turnItem } from '../drawing/turn-item.js';
import { VirtualList } from '../drawing/virtual-list.js';
import { failure, load, state, whenBack } from '../shell/states.js';

/** @typedef {import('../data/contexts.js').Context} Context */

/** How far away from its call a result is looked for, in turns. */
const NEAR = 30;

/**
 * A conversation, turn by turn.
 *
 * @param {import('./views.js').Place} place
 */
export function conversation({ host, path, params, scope }) {
  const id = path[0] ?? '';
  void load(host, scope.signal, () => readContext(id, scope.signal), (found) => show(host, found, params, scope));
}

/**
 * @param {HTMLElement} host
 * @param {Context} about
 * @param {URLSearchParams} params
 * @param {import('../shell/scope.js').Scope} scope
 */
function show(host, about, params, scope) {
  const id = about.context_id;
  const title = oneLine(about.title ?? '', 200) || `context ${id}`;
  document.title = `${title} · Varve`;
  const turns = new TurnWindow(id, turnCount(about));
  let marked = params.get('turn') ?? '';
  const count = el('span', { class: 'quiet' });
  const problem = el('div');

  /** @param {string} call @param {number} depth */
  const resultsOf = (call, depth) => {
    for (let at = depth + 1; at < depth + NEAR; at++) {
      const turn = turns.at(at);
      if (turn === null) return [];
      const said = message(turn);
      if (said.role !== 'tool') continue;
      const parts = said.parts.filter((part) => (part.kind === 'result' && part.id === call) || (part.kind === 'blob' && part.of === call));
      if (parts.length > 0) return parts;
    }
    return [];
  };

  /** @param {number} depth */
  const isAnswered = (depth) => {
    const turn = turns.at(depth);
    if (turn === null) return false;
    const said = message(turn);
    if (said.role !== 'tool' || !said.parts.every((part) => part.kind === 'result' || part.kind === 'blob')) return false;
    const part = said.parts[0];
    const call = part?.kind === 'result' ? part.id : part?.kind === 'blob' ? part.of : '';
    for (let at = depth - 1; at >= 0 && at > depth - NEAR; at--) {
      const earlier = turns.at(at);
      if (earlier === null) return false;
      if (message(earlier).parts.some((each) => each.kind === 'call' && each.id === call)) return true;
    }
    return false;
  };

  const list = new VirtualList({
    estimatePx: 120,
    label: 'turns',
    draw: (depth) => {
      const turn = turns.at(depth);
      if (turn === null) return el('article', { class: 'turn is-absent', 'aria-busy': 'true' }, `turn ${number(depth)} …`);
      return turnItem(turn, { context: id, resultsOf: (call) => resultsOf(call, depth), isAnswered: isAnswered(depth), isMarked: turn.turn_id === marked });
    },
    onrange: (first, last) => void need(first, last),
  });

  /** @param {number} first @param {number} last */
  async function need(first, last) {
    try {
      const came = await turns.ensure(first - 10, last + 10, scope.signal);
      if (came.length === 0 || scope.signal.aborted) return;
      problem.replaceChildren();
      list.redraw((index) => came.some((page) => { const { first: from, last: to } = TurnWindow.depths(page); return index >= from - NEAR && index <= to; }));
    } catch (error) {
      if (scope.signal.aborted) return;
      replace(problem, failure(error));
      whenBack(error, scope.signal, () => { problem.replaceChildren(); list.update(); });
    }
  }

  const find = el('input', { type: 'search', id: 'find', placeholder: 'find in this conversation', 'data-main': '', autocomplete: 'off', spellcheck: 'false' });
  const found = el('span', { class: 'quiet', role: 'status' });
  let findStop = new AbortController();
  const form = el('form', { class: 'filters', onsubmit: (/** @type {Event} */ e) => { e.preventDefault(); void next(1); } }, el('label', { for: 'find' }, 'Find'), find, found);
  let lastFound = -1;

  /** @param {1 | -1} by */
  async function next(by) {
    const wanted = find.value.toLowerCase();
    if (wanted === '') return;
    findStop.abort();
    findStop = new AbortController();
    const mine = findStop;
    let at = lastFound >= 0 ? lastFound + by : by > 0 ? list.firstVisible() : list.firstVisible() - 1;
    for (let looked = 0; looked < turns.count; looked++, at += by) {
      const depth = ((at % turns.count) + turns.count) % turns.count;
      if (turns.at(depth) === null) {
        found.textContent = `looking at turn ${number(depth)} …`;
        try {
          await turns.ensure(depth, depth, scope.signal);
        } catch (error) {
          if (mine.signal.aborted || scope.signal.aborted) return;
          found.textContent = `turn ${number(depth)} could not be read`;
          replace(problem, failure(error));
          whenBack(error, scope.signal, () => { problem.replaceChildren(); if (!mine.signal.aborted) void next(by); });
          return;
        }
        if (mine.signal.aborted || scope.signal.aborted) return;
      }
      const turn = turns.at(depth);
      if (turn !== null && textOf(message(turn)).toLowerCase().includes(wanted)) {
        lastFound = depth;
        found.textContent = `turn ${number(depth)}`;
        mark(turn.turn_id, depth);
        return;
      }
    }
    found.textContent = 'not in this conversation';
  }
  find.addEventListener('input', () => { lastFound = -1; found.textContent = ''; });

  /** @param {string} turn @param {number} depth */
  function mark(turn, depth) {
    marked = turn;
    history.replaceState(null, '', `#/context/${id}${query({ turn })}`);
    list.atEnd = false;
    list.scrollTo(depth);
    list.redraw();
    list.scrollTo(depth);
  }

  const place = el('div', { class: 'fills' });
  const meta = [about.agent, about.project, about.client_tag].filter((text) => text !== undefined).map((text) => el('span', { class: 'fact' }, oneLine(String(text), 60)));
  replace(host,
    el('div', { class: 'page-head' }, el('h1', { dir: 'auto' }, title), ...meta, ...(about.labels ?? []).map((label) => el('span', { class: 'label' }, oneLine(label, 40))), count,
      el('a', { href: `#/tree/${id}` }, 'branches'), about.head_turn_id === '0' ? null : el('a', { href: `#/files/${about.head_turn_id}` }, 'files')),
    form, problem, place);

  function grown() {
    count.textContent = `${number(turns.count)} turns`;
    if (turns.count === 0) replace(place, state('empty', 'This context has no turn yet. New turns appear here by themselves.'));
    else if (list.element.parentNode !== place) replace(place, list.element);
    list.setCount(turns.count);
  }

  grown();
  if (marked !== '') {
    oneTurn(id, marked, scope.signal).then((turn) => mark(turn.turn_id, turn.depth), (error) => { if (!scope.signal.aborted) replace(problem, failure(error)); });
  } else if (turns.count > 0) {
    list.atEnd = true; // where a conversation stands is what one looks for first
    requestAnimationFrame(() => { list.scrollTo(turns.count - 1); });
  }
  list.element.addEventListener('wheel', () => { list.atEnd = false; }, { passive: true });
  list.element.addEventListener('pointerdown', () => { list.atEnd = false; });

  const tail = async () => {
    const page = await getJson(`v1/contexts/${id}/turns${query({ limit: 1, view: 'raw', bytes_render: 'len_only' })}`, scope.signal);
    const now = page.turns.length === 0 ? 0 : page.meta.head_depth + 1;
    if (now === turns.count || scope.signal.aborted) return;
    const follows = list.isAtEnd() && turns.count > 0;
    turns.count = now;
    list.atEnd = follows;
    grown();
    if (follows) list.scrollTo(now - 1);
  };
  let waiting = 0;
  scope.onend(listen((event) => {
    const isOurs = (event.name === 'turn_appended' && event.data.context_id === id) || event.name === 'refresh';
    if (!isOurs || waiting !== 0) return;
    waiting = window.setTimeout(() => { waiting = 0; void tail().catch(() => {}); }, 100);
  }));
  scope.onend(() => { clearTimeout(waiting); list.close(); findStop.abort(); });

  let current = -1;
  const step = (/** @type {number} */ by) => {
    list.atEnd = false;
    current = Math.max(0, Math.min(turns.count - 1, (current < 0 ? list.firstVisible() : current) + by));
    list.scrollTo(current);
  };
  list.element.addEventListener('scrollend', () => { current = -1; });
  scope.key('j', 'next turn', () => step(1));
  scope.key('k', 'previous turn', () => step(-1));
  scope.key('g Home', 'first turn', () => { list.atEnd = false; list.scrollTo(0); });
  scope.key('G End', 'last turn', () => { list.atEnd = true; list.scrollTo(turns.count - 1); });
  scope.key('n', 'next turn that fits what is looked for', () => void next(1));
  scope.key('N', 'previous turn that fits', () => void next(-1));
  scope.key('t', 'branches', () => { location.hash = `#/tree/${id}`; });
  scope.key('f', 'files at the turn on top', () => { const turn = turns.at(list.firstVisible()); if (turn) location.hash = `#/files/${turn.turn_id}`; });
  scope.key('u', 'back to the contexts', () => { location.hash = '#/contexts'; });
}
