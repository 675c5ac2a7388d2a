// SPDX-License-Identifier: Apache-2.0
import { getText } from '../data/api.js';
import { append, el } from './dom.js';
import { isDiff, patch, twoTexts } from './diff.js';
import { markdown } from './markdown.js';
import { plain, size, terminal, visible } from './text.js';

/** @typedef {import('../data/message.js').Part} Part */

/** Raster images only: an SVG is a document of its own. */
const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const FOLDED_LINES = 14;
const BLOB_BYTES = 200_000;
const BLOB_BYTES_AT_ONCE = 4_000;

/**
 * @param {Part} part
 * @param {(id: string) => Part[]} resultsOf the results of a call, where they are known
 * @returns {HTMLElement}
 */
export function draw(part, resultsOf) {
  switch (part.kind) {
    case 'text':
      return markdown(part.text);
    case 'thinking':
      return el('details', { class: 'thinking' }, el('summary', {}, `thinking, ${part.text.length.toLocaleString('en')} characters`), plain(part.text));
    case 'call':
      return call(part, resultsOf(part.id));
    case 'result':
      return result(part);
    case 'command':
      return el('div', { class: 'call' }, el('div', { class: 'call-name' }, '$ ', el('code', {}, visible(part.command))), folded(terminal(part.output), part.output), exit(part.exitCode, false));
    case 'image':
      return image(part);
    case 'blob':
      return blob(part);
    case 'error':
      return el('div', { class: 'trouble' }, visible(part.text));
    case 'json':
      return json(part.value);
  }
}

/**
 * @param {Extract<Part, {kind: 'call'}>} part
 * @param {Part[]} results
 */
function call(part, results) {
  const box = el('div', { class: results.length > 0 ? 'call has-result' : 'call' });
  const asked = el('div', { class: 'call-side' }, el('div', { class: 'call-name' }, 'calls ', el('code', {}, visible(part.name))), args(part.args));
  box.append(asked);
  if (results.length > 0) box.append(el('div', { class: 'call-side' }, ...results.map((each) => draw(each, () => []))));
  return box;
}

/** @param {any} value */
function args(value) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return json(value);
  const box = el('dl', { class: 'args' });
  const edits = Array.isArray(value.edits) ? value.edits : [value];
  for (const edit of edits) {
    const before = edit?.oldText ?? edit?.old_string ?? edit?.old;
    const after = edit?.newText ?? edit?.new_string ?? edit?.new;
    if (typeof before === 'string' && typeof after === 'string' && before.length + after.length < 200_000) {
      append(box, [el('dt', {}, 'edit'), el('dd', {}, twoTexts(before, after))]);
    }
  }
  const isShown = box.childElementCount > 0;
  for (const [name, each] of Object.entries(value)) {
    if (isShown && ['edits', 'oldText', 'newText', 'old_string', 'new_string', 'old', 'new'].includes(name)) continue;
    append(box, [el('dt', {}, visible(name)), el('dd', {}, typeof each === 'string' ? folded(isDiff(each) ? patch(each) : plain(each, 'plain code'), each) : json(each))]);
  }
  return box;
}

/** @param {Extract<Part, {kind: 'result'}>} part */
function result(part) {
  return el('div', { class: part.isError ? 'result is-error' : 'result' }, folded(isDiff(part.text) ? patch(part.text) : terminal(part.text), part.text), exit(part.exitCode, part.isError));
}

/**
 * @param {number | null} code
 * @param {boolean} isError
 */
function exit(code, isError) {
  if (code === null) return isError ? el('span', { class: 'exit bad' }, 'failed') : null;
  return el('span', { class: code === 0 ? 'exit good' : 'exit bad' }, `exit status ${code}`);
}

/**
 * @param {HTMLElement} shown
 * @param {string} text
 * @returns {HTMLElement}
 */
function folded(shown, text) {
  let lines = 0;
  for (let at = -1; lines <= FOLDED_LINES && (at = text.indexOf('\n', at + 1)) >= 0;) lines++;
  if (lines <= FOLDED_LINES && text.length < 2_000) return shown;
  const box = el('div', { class: 'folded' }, shown);
  const button = el('button', { type: 'button', class: 'more', 'aria-expanded': 'false', onclick: () => {
    const isOpen = box.classList.toggle('is-open');
    button.setAttribute('aria-expanded', String(isOpen));
    button.textContent = isOpen ? 'Show less' : 'Show all';
  } }, 'Show all');
  return el('div', {}, box, button);
}

/** @param {Extract<Part, {kind: 'image'}>} part */
function image(part) {
  if (!IMAGES.has(part.mediaType)) return el('div', { class: 'dead-link' }, `a picture of the type ${visible(part.mediaType)}, which is not shown`);
  return el('img', { class: 'picture', alt: 'picture in the conversation', src: `data:${part.mediaType};base64,${part.base64.replace(/[^A-Za-z0-9+/=]/g, '')}` });
}

/** @param {Extract<Part, {kind: 'blob'}>} part */
function blob(part) {
  const box = el('div', { class: 'result' });
  const load = async () => {
    button.disabled = true;
    try {
      const found = await getText(`v1/blobs/${encodeURIComponent(part.hash)}`, BLOB_BYTES);
      box.replaceChildren(found.isText ? folded(isDiff(found.text) ? patch(found.text) : terminal(found.text), found.text) : plain(`${size(found.sizeBytes)} that are no text`));
      if (!found.isWhole) box.append(el('p', { class: 'quiet' }, `the first ${size(BLOB_BYTES)} of ${size(found.sizeBytes)}`));
    } catch (e) {
      box.replaceChildren(el('div', { class: 'trouble' }, visible(e instanceof Error ? e.message : String(e))));
    }
  };
  const button = el('button', { type: 'button', class: 'more', onclick: () => void load() }, `Show ${size(part.sizeBytes)} of content`);
  box.append(button);
  if (part.sizeBytes <= BLOB_BYTES_AT_ONCE) void load();
  return box;
}

/** @param {unknown} value */
export function json(value) {
  const text = value === undefined ? 'nothing' : JSON.stringify(value, null, 2);
  if (text.length < 300) return el('pre', { class: 'json', tabindex: 0, 'aria-label': 'JSON' }, plain(text, 'code'));
  return el('details', { class: 'json' }, el('summary', {}, `JSON, ${size(text.length)}`), el('pre', { tabindex: 0, 'aria-label': 'JSON' }, plain(text, 'code')));
}
