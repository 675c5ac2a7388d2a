// SPDX-License-Identifier: Apache-2.0
import { getJson } from '../data/api.js';
import { el, replace } from '../drawing/dom.js';
import { number, oneLine } from '../drawing/text.js';
import { ROW_PX, graph, lanes, legend } from '../drawing/tree-graph.js';
import { treeRow } from '../drawing/tree-rows.js';
import { load, state } from '../shell/states.js';

/** @typedef {import('../data/contexts.js').Context} Context */
/** @typedef {import('../drawing/tree-graph.js').Knot} Knot */
/** @typedef {{context_id: string, knots: Knot[], contexts: Context[], total_count: number, incomplete: boolean, marks_incomplete: boolean}} Tree */

/** How often the rest of the marks is asked for. */
const ASKED_MAX = 100;

/**
 * The contexts of one origin as a graph of the turns that they share, with what happened on the ways.
 *
 * @param {import('./views.js').Place} place
 */
export function tree({ host, path, scope }) {
  const id = path[0] ?? '';
  document.title = `Branches of ${id} · Varve`;
  const ask = () => /** @type {Promise<Tree>} */ (getJson(`v1/contexts/${encodeURIComponent(id)}/tree`, scope.signal));
  void load(host, scope.signal, ask, (found) => {
    const view = new TreeView(host, found, scope);
    if (found.marks_incomplete) void rest(view, ask);
  });
}

/**
 * Asks for the marks that there was no time for. What stands stays if the service gives no answer.
 *
 * @param {TreeView} view
 * @param {() => Promise<Tree>} ask
 */
async function rest(view, ask) {
  try {
    for (let asked = 0; asked < ASKED_MAX && view.found.marks_incomplete; asked++) view.found = await ask();
    view.draw();
  } catch {
    // the notice that marks are missing stays
  }
}

/** The graph, and the two contexts that are picked. */
class TreeView {
  /**
   * @param {HTMLElement} host
   * @param {Tree} found
   * @param {import('../shell/scope.js').Scope} scope
   */
  constructor(host, found, scope) {
    this.host = host;
    this.found = found;
    /** @type {string[]} */
    this.picked = [];
    /** @type {Set<string>} */
    this.whole = new Set();
    /** @type {HTMLInputElement[]} */
    this.boxes = [];
    this.go = el('button', { type: 'button', disabled: true, onclick: () => this.compare() }, 'Compare the two');
    this.list = el('ol', { class: 'tree-rows' });
    this.list.style.setProperty('--row', `${ROW_PX}px`);
    this.region = el('div', { class: 'tree', tabindex: 0, role: 'region', 'aria-label': 'branches' });
    this.draw();
    scope.key('j ArrowDown', 'next', () => this.step(1));
    scope.key('k ArrowUp', 'previous', () => this.step(-1));
    scope.key('c', 'compare the two that are picked', () => this.compare());
    scope.key('u', 'back to the conversation', () => { location.hash = `#/context/${this.found.context_id}`; });
  }

  compare() {
    if (this.picked.length === 2) location.hash = `#/compare/${this.picked[0]}/${this.picked[1]}`;
  }

  /** @param {number} by */
  step(by) {
    const links = /** @type {HTMLElement[]} */ ([...this.list.querySelectorAll('a, button')]);
    const at = links.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    links[Math.max(0, Math.min(links.length - 1, at + by))]?.focus();
  }

  /** @param {string} id */
  box(id) {
    const box = el('input', { type: 'checkbox', value: id, checked: this.picked.includes(id), 'aria-label': `pick context ${id} to compare`, onchange: () => {
      this.picked = box.checked ? [...this.picked.slice(-1), id] : this.picked.filter((each) => each !== id);
      for (const each of this.boxes) each.checked = this.picked.includes(each.value);
      this.go.disabled = this.picked.length !== 2;
    } });
    this.boxes.push(box);
    return box;
  }

  /** Draws everything anew; the place of the focus and of the list stay. */
  draw() {
    const { found } = this;
    const byId = new Map(found.contexts.map((each) => [each.context_id, each]));
    const about = byId.get(found.context_id);
    const head = el('div', { class: 'page-head' }, el('h1', { dir: 'auto' }, 'Branches of ', el('a', { href: `#/context/${found.context_id}` }, oneLine(about?.title ?? '', 120) || `context ${found.context_id}`)),
      el('span', { class: 'quiet' }, `${number(found.total_count)} context${found.total_count === 1 ? '' : 's'}`), this.go);
    if (found.knots.length === 0) {
      replace(this.host, head, state('empty', 'No context of this family has a turn.'));
      return;
    }
    const notes = [
      found.incomplete ? 'Not all contexts of the store were looked at yet; open the view again in a moment.' : '',
      found.total_count > found.contexts.length ? `Only ${number(found.contexts.length)} contexts are drawn.` : '',
      found.marks_incomplete ? 'Compactions and files of all turns are not known yet.' : '',
    ].filter((note) => note !== '');
    const focused = this.list.contains(document.activeElement) ? document.activeElement?.getAttribute('href') : null;
    const readers = readersOf(found.knots);
    const reader = (/** @type {Knot} */ knot) => readers.get(knot.turn_id) ?? found.context_id;
    const begun = new Map(found.knots.flatMap((knot) => knot.marks.flatMap((mark) => (mark.context_id === undefined ? [] : [/** @type {const} */ ([mark.context_id, { reader: reader(knot), turn: mark.turn_id, depth: mark.depth }])]))));
    const rows = lanes(found.knots, this.whole);
    const { picture, widthPx } = graph(rows);
    this.boxes = [];
    const all = (/** @type {Knot} */ knot) => { this.whole.add(knot.turn_id); this.draw(); };
    replace(this.list, ...rows.map((row) => treeRow(row, { here: found.context_id, byId, reader, begun, all, box: (context) => this.box(context) })));
    this.list.style.marginLeft = `${widthPx}px`;
    const top = this.region.scrollTop;
    replace(this.region, picture, this.list);
    replace(this.host, head, legend(), ...notes.map((note) => el('p', { class: 'quiet note' }, note)), this.region);
    this.region.scrollTop = top;
    if (focused) /** @type {HTMLElement | undefined} */ ([...this.list.querySelectorAll('a')].find((link) => link.getAttribute('href') === focused))?.focus();
  }
}

/**
 * For each turn of the tree a context on whose path the turn is.
 *
 * @param {Knot[]} knots each before those that follow it
 */
function readersOf(knots) {
  /** @type {Map<string, string>} */
  const readers = new Map();
  for (const knot of knots.toReversed()) {
    const own = knot.context_ids[0] ?? readers.get(knot.turn_id);
    if (own === undefined) continue;
    readers.set(knot.turn_id, own);
    if (knot.parent_turn_id !== null) readers.set(knot.parent_turn_id, own);
  }
  return readers;
}
