// SPDX-License-Identifier: Apache-2.0
import { ApiError, getJson, getText, query } from '../data/api.js';
import { el, replace } from '../drawing/dom.js';
import { fileChanges } from '../drawing/file-changes.js';
import { plain, size, visible } from '../drawing/text.js';
import { worktreeChanges } from '../drawing/worktree-changes.js';
import { load } from '../shell/states.js';
import { restore } from './restore.js';

/** @typedef {{name: string, kind: string, mode: string, size: number, hash: string}} FileEntry */

const BYTES_MAX = 1_000_000;
const ENTRIES_MAX = 5_000;
const IMAGE = /\.(png|jpe?g|gif|webp)$/i;
/** @type {Record<string, string>} */
const IMAGE_TYPES = { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' };

/**
 * The files as they were at a turn.
 *
 * @param {import('./views.js').Place} place
 */
export function files({ host, path, params, scope }) {
  const turn = path[0] ?? '';
  document.title = `Files at turn ${turn} · Varve`;
  const since = params.get('since') ?? '';
  const plans = params.get('restore') === 'plan';
  const now = params.get('since') === null && params.get('compare') === 'folder';
  const file = el('div', { class: 'file padded', tabindex: 0, role: 'region', 'aria-label': 'file' }, el('p', { class: 'quiet' }, 'Choose a file.'));
  const folder = el('div', { class: 'folder', tabindex: 0, role: 'region', 'aria-label': 'folder' });
  const other = el('input', { type: 'text', id: 'since', value: since, placeholder: 'number of a turn', 'data-main': '', autocomplete: 'off' });
  const form = el('form', { class: 'filters', onsubmit: (/** @type {Event} */ e) => { e.preventDefault(); location.hash = `#/files/${turn}${query({ since: other.value.trim() })}`; } },
    el('label', { for: 'since' }, 'Changes since turn'), other, el('button', { type: 'submit' }, 'Compare'), now ? null : el('a', { href: `#/files/${turn}?compare=folder` }, 'changes in the folder since'), plans ? null : el('a', { href: `#/files/${turn}?restore=plan` }, 'what a restore would change'), since === '' && !plans && !now ? null : el('a', { href: `#/files/${turn}` }, 'all files'));
  const body = el('div', { class: 'files' });
  replace(host, el('div', { class: 'page-head' }, el('h1', {}, `Files at turn ${turn}`)), form, body);
  if (since !== '') {
    body.className = 'padded scrolls';
    void load(body, scope.signal, () => fileChanges(since, turn, scope.signal), (shown) => body.append(shown));
    return;
  }
  if (now) {
    body.className = 'padded scrolls';
    void load(body, scope.signal, () => worktreeChanges(turn, scope.signal), (shown) => body.append(shown));
    return;
  }
  if (plans) {
    body.className = 'padded scrolls';
    restore(body, turn, scope.signal);
    return;
  }
  void load(body, scope.signal, () => list(turn, ''), (entries) => {
    replace(body, folder, file);
    folder.append(level(entries, ''));
  });

  /** @param {string} at @param {string} within */
  async function list(at, within) {
    try {
      const answer = await getJson(`v1/turns/${encodeURIComponent(at)}/fs${query({ path: within })}`, scope.signal);
      return /** @type {FileEntry[]} */ (answer.entries);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404 && within === '') throw new ApiError(404, 'No files are attached to this turn or to a turn before it.');
      throw error;
    }
  }

  /** @param {FileEntry[]} entries @param {string} within */
  function level(entries, within) {
    if (entries.length === 0) return el('p', { class: 'quiet' }, 'empty');
    const rows = entries.slice(0, ENTRIES_MAX).map((entry) => {
      const full = within === '' ? entry.name : `${within}/${entry.name}`;
      if (entry.kind.startsWith('dir')) {
        const box = el('details', { ontoggle: () => {
          if (!box.open || box.childElementCount > 1) return;
          const inner = el('div', {});
          box.append(inner);
          void load(inner, scope.signal, () => list(turn, full), (found) => inner.append(level(found, full)));
        } }, el('summary', { dir: 'auto' }, `${visible(entry.name)}/`));
        return el('li', {}, box);
      }
      return el('li', {}, el('button', { type: 'button', class: 'file-name', dir: 'auto', onclick: () => open(full, entry) }, visible(entry.name)), el('span', { class: 'quiet' }, ` ${entry.kind === 'file' ? size(entry.size) : entry.kind}`));
    });
    if (entries.length > ENTRIES_MAX) rows.push(el('li', {}, `and ${entries.length - ENTRIES_MAX} more`));
    return el('ul', { class: 'entries' }, ...rows);
  }

  /** @param {string} full @param {FileEntry} entry */
  function open(full, entry) {
    const where = `v1/turns/${turn}/fs/${full.split('/').map(encodeURIComponent).join('/')}`;
    const title = el('p', {}, el('code', { dir: 'auto' }, visible(full)), el('span', { class: 'quiet' }, ` ${size(entry.size)} · mode ${entry.mode} · ${entry.hash}`));
    const place = el('div');
    replace(file, title, place);
    void load(place, scope.signal, () => getText(where, BYTES_MAX, scope.signal), (found) => {
      const extension = full.match(IMAGE)?.[1]?.toLowerCase();
      if (extension !== undefined && found.isWhole) {
        const address = URL.createObjectURL(new Blob([found.bytes], { type: IMAGE_TYPES[extension] ?? 'image/png' }));
        scope.onend(() => URL.revokeObjectURL(address));
        place.append(el('img', { class: 'picture', alt: visible(full), src: address }));
      } else if (!found.isText) {
        place.append(el('p', { class: 'quiet' }, 'This is no text.'));
      } else {
        place.append(el('pre', { tabindex: 0, 'aria-label': visible(full) }, plain(found.text, 'plain code')));
        if (!found.isWhole) place.append(el('p', { class: 'quiet' }, `the first ${size(BYTES_MAX)} of ${size(found.sizeBytes)}`));
      }
    });
  }
  scope.key('j ArrowDown', 'next file', () => step(1));
  scope.key('k ArrowUp', 'previous file', () => step(-1));
  const step = (/** @type {number} */ by) => {
    const all = /** @type {HTMLElement[]} */ ([...folder.querySelectorAll('summary, .file-name')].filter((each) => /** @type {HTMLElement} */ (each).offsetParent !== null));
    const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    all[Math.max(0, Math.min(all.length - 1, at + by))]?.focus();
  };
}
