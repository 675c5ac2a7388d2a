// SPDX-License-Identifier: Apache-2.0
import { connection } from '../data/api.js';
import { listen } from '../data/live.js';
import { hasToken, useToken } from '../data/request.js';
import { el, replace } from '../drawing/dom.js';
import { VIEWS } from '../views/views.js';
import { Keys } from './keys.js';
import { Scope } from './scope.js';
import { state } from './states.js';
import { themeButton } from './theme.js';

const PLACES = [
  { path: 'contexts', name: 'Contexts', key: '1' },
  { path: 'search', name: 'Search', key: '2' },
  { path: 'storage', name: 'Storage', key: '3' },
];

/** The frame around the views: where one is, whether the service is there, keys and theme. */
export class Shell {
  /** @param {HTMLElement} body */
  constructor(body) {
    this.scope = new Scope();
    this.keys = new Keys(() => this.scope);
    this.view = el('main', { id: 'view', tabindex: -1 });
    this.notice = el('div', { class: 'notice', role: 'status' });
    this.links = PLACES.map((place) => el('a', { href: `#/${place.path}`, title: `${place.name} (key ${place.key})` }, place.name));
    const mark = el('span', { class: 'live-mark', 'data-live': 'no', title: 'connecting' });
    this.mark = mark;
    replace(body,
      el('a', { class: 'skip', href: '#view', onclick: (/** @type {Event} */ e) => { e.preventDefault(); this.view.focus(); } }, 'To the content'),
      el('header', { class: 'top' }, el('a', { class: 'brand', href: '#/contexts' }, 'Varve'), el('nav', { 'aria-label': 'Views' }, ...this.links), mark, themeButton(), el('button', { type: 'button', class: 'icon', title: 'Keys (?)', 'aria-label': 'List of keys', onclick: () => this.keys.show() }, '?')),
      this.notice, this.view, this.keys.dialog);
    for (const place of PLACES) this.keys.always(place.key, `go to ${place.name}`, () => { location.hash = `#/${place.path}`; });
    this.keys.always('/', 'to the filter or the search', () => /** @type {HTMLElement | null} */ (document.querySelector('[data-main]'))?.focus());
  }

  start() {
    window.addEventListener('hashchange', () => this.show());
    connection.addEventListener('gone', () => this.gone());
    connection.addEventListener('back', () => this.back());
    connection.addEventListener('unauthorised', () => this.unauthorised());
    this.hear();
    this.show();
  }

  hear() {
    listen((event) => {
      if (event.name === 'connected') this.setMark('yes', 'live: changes appear by themselves');
    });
  }

  /**
   * @param {'yes' | 'no'} live
   * @param {string} title
   */
  setMark(live, title) {
    this.mark.dataset['live'] = live;
    this.mark.title = title;
    replace(this.mark, live === 'yes' ? 'live' : 'not live');
  }

  show() {
    const [path = '', search = ''] = location.hash.replace(/^#\/?/, '').split('?');
    const [name = '', ...rest] = path.split('/').map(decoded);
    this.scope.end();
    this.scope = new Scope();
    for (const [i, link] of this.links.entries()) {
      if (PLACES[i]?.path === (name || 'contexts')) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    const key = name === '' ? 'contexts' : name;
    const view = Object.hasOwn(VIEWS, key) ? VIEWS[key] : undefined;
    this.view.replaceChildren();
    this.view.className = `view-${view === undefined ? 'none' : name || 'contexts'}`;
    if (view === undefined) {
      replace(this.view, state('missing', `#/${path}`));
      return;
    }
    document.title = 'Varve';
    view({ host: this.view, path: rest, params: new URLSearchParams(search), scope: this.scope });
  }

  gone() {
    this.setMark('no', 'the service does not answer');
    replace(this.notice, state('gone', 'What is shown may be old. The page goes on by itself when the service is back.'));
  }

  back() {
    replace(this.notice, el('div', { class: 'state back', 'data-state': 'restarted' }, el('p', {}, 'The service is back.')));
    setTimeout(() => { if (this.notice.querySelector('.back') !== null) this.notice.replaceChildren(); }, 4_000);
  }

  unauthorised() {
    this.setMark('no', 'a token is needed');
    if (this.notice.querySelector('form') !== null) return;
    const input = el('input', { type: 'password', id: 'token', autocomplete: 'off', spellcheck: 'false' });
    const form = el('form', { class: 'token', onsubmit: (/** @type {Event} */ e) => {
      e.preventDefault();
      useToken(input.value.trim());
      this.notice.replaceChildren();
      this.hear();
      this.show();
    } }, el('label', { for: 'token' }, hasToken() ? 'The token of this page is not known any more. Enter another one, or open the page with ' : 'Enter a token of the service, or open the page with ', el('code', {}, 'varve ui'), ': '), input, el('button', { type: 'submit' }, 'Enter'));
    replace(this.notice, el('div', { class: 'state unauthorised', role: 'alert', 'data-state': 'unauthorised' }, form));
  }
}

/** @param {string} word of an address, which somebody may have cut in the middle of a character */
function decoded(word) {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}
