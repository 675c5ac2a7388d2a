// SPDX-License-Identifier: Apache-2.0
import { lexer } from '../lib/marked.js';
import { el, outerLink } from './dom.js';
import { plain, visible } from './text.js';
import { isDiff, patch } from './diff.js';

/** @typedef {import('./dom.js').Child} Child */
/** @typedef {{type: string, raw: string, text?: string, depth?: number, lang?: string, href?: string, ordered?: boolean, start?: number | '', checked?: boolean, task?: boolean, tokens?: Token[], items?: Token[], header?: Token[], rows?: Token[][]}} Token */

/** A longer text is shown as it is. */
const CHARACTERS_MAX = 100_000;
const DEPTH_MAX = 30;
/** A paragraph with more signs of emphasis and links makes its text plain. */
const SIGNS_MAX = 400;

/**
 * Markdown as elements. The parser only cuts the text into tokens; HTML in the text stays text, and pictures from elsewhere
 * become links.
 *
 * @param {string} text
 * @returns {HTMLElement}
 */
export function markdown(text) {
  if (text.length > CHARACTERS_MAX || isCostly(text)) return plain(text);
  try {
    return el('div', { class: 'markdown', dir: 'auto' }, ...blocks(/** @type {Token[]} */ (lexer(text, { gfm: true })), 0));
  } catch {
    return plain(text); // nested deeper than the parser goes
  }
}

/**
 * Whether the parser would take long: its time grows with the square of the signs in one paragraph, and with the depth of
 * quotes and lists.
 *
 * @param {string} text
 */
function isCostly(text) {
  if (/^[ \t]*(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+){20}/m.test(text)) return true;
  const outsideCode = text.replace(/^ {0,3}(```|~~~)[\s\S]*?^ {0,3}\1/gm, '');
  return outsideCode.split(/\n[ \t]*\n/).some((paragraph) => (paragraph.match(/[*_~<]/g)?.length ?? 0) + 3 * (paragraph.match(/\[/g)?.length ?? 0) > SIGNS_MAX);
}

/**
 * @param {Token[]} tokens
 * @param {number} depth
 * @returns {Child[]}
 */
function blocks(tokens, depth) {
  if (depth > DEPTH_MAX) return tokens.map((token) => visible(token.raw));
  return tokens.map((token) => block(token, depth));
}

/**
 * @param {Token} token
 * @param {number} depth
 * @returns {Child}
 */
function block(token, depth) {
  const inner = () => inlines(token.tokens ?? [], depth + 1);
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'paragraph':
      return el('p', {}, ...inner());
    case 'heading':
      return el('div', { class: `heading h${token.depth ?? 1}`, role: 'heading', 'aria-level': Math.min(6, (token.depth ?? 1) + 2) }, ...inner());
    case 'hr':
      return el('hr');
    case 'code':
      return code(token.text ?? '', token.lang ?? '');
    case 'blockquote':
      return el('blockquote', {}, ...blocks(token.tokens ?? [], depth + 1));
    case 'list': {
      const list = el(token.ordered ? 'ol' : 'ul', {});
      if (token.ordered && typeof token.start === 'number') /** @type {HTMLOListElement} */ (list).start = token.start;
      list.append(...(token.items ?? []).map((item) => el('li', {}, item.task ? (item.checked ? '☑ ' : '☐ ') : null, ...blocks(item.tokens ?? [], depth + 1))));
      return list;
    }
    case 'table': {
      const cells = (/** @type {Token[]} */ row, /** @type {'td'|'th'} */ kind) => el('tr', {}, ...row.map((cell) => el(kind, {}, ...inlines(cell.tokens ?? [], depth + 1))));
      return el('div', { class: 'wide', tabindex: 0, role: 'group', 'aria-label': 'table' }, el('table', {}, el('thead', {}, cells(token.header ?? [], 'th')), el('tbody', {}, ...(token.rows ?? []).map((row) => cells(row, 'td')))));
    }
    case 'text':
      return token.tokens ? el('span', {}, ...inner()) : visible(token.text ?? token.raw);
    default:
      return el('p', {}, visible(token.raw)); // HTML, and what a later parser may bring: text
  }
}

/**
 * @param {Token[]} tokens
 * @param {number} depth
 * @returns {Child[]}
 */
function inlines(tokens, depth) {
  if (depth > DEPTH_MAX) return tokens.map((token) => visible(token.raw));
  return tokens.map((token) => {
    const inner = () => inlines(token.tokens ?? [], depth + 1);
    switch (token.type) {
      case 'strong':
        return el('strong', {}, ...inner());
      case 'em':
        return el('em', {}, ...inner());
      case 'del':
        return el('del', {}, ...inner());
      case 'codespan':
        return el('code', {}, visible(token.text ?? ''));
      case 'br':
        return el('br');
      case 'link':
        return outerLink(token.href ?? '', inner());
      case 'image':
        return outerLink(token.href ?? '', [`[picture: ${visible(token.text ?? '')}]`]);
      case 'escape':
        return visible(token.text ?? '');
      case 'text':
        return token.tokens ? el('span', {}, ...inner()) : visible(token.raw);
      default:
        return visible(token.raw);
    }
  });
}

/**
 * @param {string} text
 * @param {string} language
 * @returns {HTMLElement}
 */
export function code(text, language) {
  if (language === 'diff' || isDiff(text)) return patch(text);
  return el('pre', { tabindex: 0, 'aria-label': language === '' ? 'code' : `code, ${visible(language)}` }, plain(text, 'code'));
}
