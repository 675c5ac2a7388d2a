// SPDX-License-Identifier: Apache-2.0
import { el } from './dom.js';

/** Controls and marks of direction, which would hide or reorder what stands around them. */
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

const SHOWN_FIRST = 20_000;
const SHOWN_NEXT = 200_000;

/**
 * The text with a visible sign in place of each unseen character.
 *
 * @param {string} text
 */
export function visible(text) {
  return text.replace(UNSEEN, (c) => {
    const code = c.codePointAt(0) ?? 0;
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `⟨${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

/**
 * One line for lists, without line breaks.
 *
 * @param {string} text
 * @param {number} [max]
 */
export function oneLine(text, max = 300) {
  const cut = text.slice(0, max * 2).replace(/\s+/g, ' ').trim();
  return visible(cut.length > max ? `${cut.slice(0, max)}…` : cut);
}

/**
 * Text as it is, in its own lines. A long text is shown in parts, on demand.
 *
 * @param {string} text
 * @param {string} [className]
 * @returns {HTMLElement}
 */
export function plain(text, className = 'plain') {
  const box = el('div', { class: className, dir: 'auto' });
  let shown = Math.min(text.length, SHOWN_FIRST);
  box.append(visible(text.slice(0, shown)));
  if (shown < text.length) {
    const more = el('button', { class: 'more', type: 'button', onclick: () => {
      const next = Math.min(text.length, shown + SHOWN_NEXT);
      more.before(visible(text.slice(shown, next)));
      shown = next;
      more.textContent = rest();
      if (shown === text.length) more.remove();
    } }, '');
    const rest = () => `Show more: ${(text.length - shown).toLocaleString('en')} characters are left`;
    more.textContent = rest();
    box.append(more);
  }
  return box;
}

/**
 * Output of a command. The colours that a terminal would show are classes; other control sequences stay visible.
 *
 * @param {string} text
 * @returns {HTMLElement}
 */
export function terminal(text) {
  if (text.length > SHOWN_FIRST || !text.includes('\u001b[')) return plain(text, 'plain terminal');
  const box = el('div', { class: 'plain terminal', dir: 'auto' });
  let classes = '';
  let from = 0;
  for (const found of text.matchAll(/\u001b\[([0-9;]{0,20})m/g)) {
    box.append(el('span', { class: classes }, visible(text.slice(from, found.index))));
    from = found.index + found[0].length;
    const codes = (found[1] ?? '').split(';').map(Number);
    classes = codes.filter((code) => code === 1 || (code >= 30 && code <= 37) || (code >= 90 && code <= 97))
      .map((code) => `ansi-${code >= 90 ? code - 60 : code}`).join(' ');
  }
  box.append(el('span', { class: classes }, visible(text.slice(from))));
  return box;
}

/** @param {number} bytes */
export function size(bytes) {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** @param {number} count */
export function number(count) {
  return count.toLocaleString('en');
}

/**
 * A time as people say it, with the exact one in the title.
 *
 * @param {number} ms since 1970
 * @returns {HTMLElement}
 */
export function time(ms) {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return el('span', {}, 'no time');
  const ago = Date.now() - ms;
  const day = 86_400_000;
  let said = date.toISOString().slice(0, 10);
  if (ago >= 0 && ago < 60_000) said = 'just now';
  else if (ago >= 0 && ago < 3_600_000) said = `${Math.floor(ago / 60_000)} min ago`;
  else if (ago >= 0 && ago < day) said = `${Math.floor(ago / 3_600_000)} h ago`;
  else if (ago >= 0 && ago < 7 * day) said = `${Math.floor(ago / day)} d ago`;
  return el('time', { datetime: date.toISOString(), title: date.toISOString() }, said);
}
