// SPDX-License-Identifier: Apache-2.0
import { getText } from '../data/api.js';
import { copy } from '../drawing/copy-button.js';
import { el, replace } from '../drawing/dom.js';
import { plain, size } from '../drawing/text.js';
import { load, state } from '../shell/states.js';

const BYTES_MAX = 65_536;

/**
 * The bytes of a blob, as text and as hex.
 *
 * @param {import('./views.js').Place} place
 */
export function blob({ host, path, scope }) {
  const hash = path[0] ?? '';
  document.title = `Blob ${hash.slice(0, 8)} · Varve`;
  void load(host, scope.signal, () => getText(`v1/blobs/${encodeURIComponent(hash)}`, BYTES_MAX, scope.signal), (found) => {
    replace(host, el('div', { class: 'page-head' }, el('h1', {}, 'Blob'), el('code', {}, hash), copy(hash, 'copy the hash'), el('span', { class: 'quiet' }, size(found.sizeBytes)),
      ...copies(found)),
      found.sizeBytes === 0 ? state('empty', 'This blob has no bytes.') : el('div', { class: 'padded' },
        found.isWhole ? null : el('p', { class: 'quiet' }, `the first ${size(BYTES_MAX)}`),
        found.isText ? el('pre', { tabindex: 0, 'aria-label': 'text' }, plain(found.text, 'plain code')) : null,
        el('details', { open: !found.isText }, el('summary', {}, 'hex'), el('pre', { tabindex: 0, 'aria-label': 'hex' }, plain(hex(found.bytes), 'code plain')))));
  });
}

/**
 * Buttons that copy the bytes that are shown.
 *
 * @param {{text: string, isText: boolean, isWhole: boolean, sizeBytes: number, bytes: Uint8Array}} found
 */
function copies({ text, isText, isWhole, sizeBytes, bytes }) {
  if (sizeBytes === 0) return [];
  const part = isWhole ? '' : ` the first ${size(BYTES_MAX)}`;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [...(isText ? [copy(text, `copy${part} as text`)] : []), copy(digits, `copy${part} as hex`)];
}

/** @param {Uint8Array} bytes */
function hex(bytes) {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = [...bytes.subarray(at, at + 16)];
    const digits = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ').padEnd(47);
    lines.push(`${at.toString(16).padStart(8, '0')}  ${digits}  ${row.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('')}`);
  }
  return lines.join('\n');
}
