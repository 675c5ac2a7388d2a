// SPDX-License-Identifier: Apache-2.0
import { el } from './dom.js';
import { Heights } from './heights.js';

const BEYOND_PX = 400;

/**
 * A list of which only the visible part is in the page. Items may have any height: heights are measured when an item is
 * drawn, and what stands above the view keeps its place.
 */
export class VirtualList {
  /**
   * @param {object} options
   * @param {number} options.estimatePx the height of an item that was never drawn
   * @param {(index: number) => HTMLElement} options.draw
   * @param {string} options.label
   * @param {(first: number, last: number) => void} [options.onrange]
   */
  constructor({ estimatePx, draw, label, onrange }) {
    this.draw = draw;
    this.onrange = onrange ?? (() => {});
    this.heights = new Heights(estimatePx);
    this.inner = el('div', { class: 'virtual-inner', role: 'list', 'aria-label': label });
    this.element = el('div', { class: 'virtual', tabindex: 0, role: 'region', 'aria-label': label, onscroll: () => this.update() }, this.inner);
    /** @type {Map<number, HTMLElement>} */
    this.drawn = new Map();
    for (const own of ['wheel', 'pointerdown', 'keydown']) this.element.addEventListener(own, () => { this.kept = -1; }, { passive: true });
    this.resized = new ResizeObserver(() => this.measure());
    this.resized.observe(this.element);
  }

  get count() {
    return this.heights.count;
  }

  /** @param {number} count */
  setCount(count) {
    for (const [index, item] of this.drawn) {
      if (index >= count) this.drop(index, item);
    }
    this.heights.setCount(count);
    this.update();
  }

  /**
   * Draws items again that are in the page.
   *
   * @param {(index: number) => boolean} [which]
   */
  redraw(which = () => true) {
    for (const [index, item] of this.drawn) {
      if (which(index)) this.drop(index, item);
    }
    this.update();
  }

  /** Forgets all heights: the items are other ones now. */
  reset() {
    for (const [index, item] of this.drawn) this.drop(index, item);
    const count = this.count;
    this.heights.setCount(0);
    this.heights.setCount(count);
    this.element.scrollTop = 0;
    this.update();
  }

  /**
   * @param {number} index
   * @param {HTMLElement} item
   */
  drop(index, item) {
    this.resized.unobserve(item);
    item.remove();
    this.drawn.delete(index);
  }

  update() {
    const view = this.element.clientHeight;
    if (view === 0) return;
    this.inner.style.height = `${this.heights.total()}px`;
    const top = this.element.scrollTop;
    const first = this.heights.find(top - BEYOND_PX);
    const last = this.heights.find(top + view + BEYOND_PX);
    const focused = document.activeElement;
    for (const [index, item] of this.drawn) {
      if ((index < first || index > last) && !item.contains(focused)) this.drop(index, item);
    }
    for (let index = first; index <= last && index < this.count; index++) {
      if (!this.drawn.has(index)) this.place(index);
    }
    this.measure();
    if (this.count > 0) this.onrange(this.heights.find(top), this.heights.find(top + view - 1));
  }

  /** @param {number} index */
  place(index) {
    const item = this.draw(index);
    item.classList.add('virtual-item');
    item.setAttribute('role', 'listitem');
    item.setAttribute('aria-posinset', String(index + 1));
    item.setAttribute('aria-setsize', String(this.count));
    item.dataset['index'] = String(index);
    this.drawn.set(index, item);
    let before = null;
    for (const child of this.inner.children) {
      if (Number(/** @type {HTMLElement} */ (child).dataset['index']) > index) {
        before = child;
        break;
      }
    }
    this.inner.insertBefore(item, before);
    this.resized.observe(item);
  }

  measure() {
    const top = this.element.scrollTop;
    const anchor = this.heights.find(top);
    const into = top - this.heights.offset(anchor);
    let changed = false;
    const measured = [...this.drawn].map(([index, item]) => /** @type {const} */ ([index, item.offsetHeight]));
    for (const [index, px] of measured) changed = this.heights.set(index, px) || changed;
    for (const [index, item] of this.drawn) item.style.transform = `translateY(${this.heights.offset(index)}px)`;
    if (!changed) return;
    this.inner.style.height = `${this.heights.total()}px`;
    if (this.atEnd) this.element.scrollTop = this.element.scrollHeight;
    else if (this.kept >= 0) this.element.scrollTop = this.heights.offset(this.kept);
    else if (top > 0) this.element.scrollTop = this.heights.offset(anchor) + into;
    requestAnimationFrame(() => this.update());
  }

  /** Whether the list stays at its end when it grows. */
  atEnd = false;

  /** The item that stays on top while items around it get their heights, until the reader scrolls; -1 for none. */
  kept = -1;

  isAtEnd() {
    return this.element.scrollTop + this.element.clientHeight >= this.heights.total() - 40;
  }

  /**
   * @param {number} index
   * @param {'start' | 'nearest'} [align]
   */
  scrollTo(index, align = 'start') {
    const at = this.heights.offset(index);
    const end = at + this.heights.of(index);
    const top = this.element.scrollTop;
    const view = this.element.clientHeight;
    this.kept = align === 'start' ? index : -1;
    if (align === 'start' || at < top) this.element.scrollTop = at;
    else if (end > top + view) this.element.scrollTop = Math.min(at, end - view);
    this.update();
    if (align === 'start') this.element.scrollTop = this.heights.offset(index); // heights above are known by now
  }

  /** @param {number} index */
  item(index) {
    return this.drawn.get(index) ?? null;
  }

  firstVisible() {
    return this.heights.find(this.element.scrollTop);
  }

  close() {
    this.resized.disconnect();
  }
}
