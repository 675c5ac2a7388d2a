// SPDX-License-Identifier: Apache-2.0

/**
 * Elements made of text. Content reaches the page through this module as text nodes and attributes only; no part of the
 * workbench parses markup.
 *
 * @typedef {Node | string | number | null | undefined | false} Child
 * @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Props
 */

const ATTRIBUTES = /^(aria-[a-z]+|data-[a-z]+|alt|class|colspan|datetime|dir|disabled|for|href|id|lang|name|open|placeholder|rel|role|scope|selected|checked|spellcheck|src|tabindex|target|title|type|value|max|width|height|autocomplete|x|y|x1|x2|y1|y2|cx|cy|r|d|fill|viewBox|points|transform|preserveAspectRatio)$/;

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Props} [props] attributes; a name with `on` and a function is a listener
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/**
 * @param {string} tag
 * @param {Props} [props]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(tag, props = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), props, children);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Props} props
 * @param {Child[]} children
 * @returns {E}
 */
function fill(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') {
      element.addEventListener(name.slice(2), value);
    } else if (ATTRIBUTES.test(name)) {
      element.setAttribute(name, value === true ? '' : String(value));
    } else {
      throw new Error(`no attribute of the workbench: ${name}`);
    }
  }
  append(element, children);
  return element;
}

/**
 * @param {Node} parent
 * @param {Child[]} children
 */
export function append(parent, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/**
 * @param {Element} element
 * @param {...Child} children
 */
export function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/**
 * A link that leaves the page, if its target is a web or mail address; plain text otherwise.
 *
 * @param {string} target
 * @param {Child[]} children
 * @returns {HTMLElement}
 */
export function outerLink(target, children) {
  let address = null;
  try {
    address = new URL(target);
  } catch {
    // not an absolute address
  }
  if (address === null || !['http:', 'https:', 'mailto:'].includes(address.protocol)) {
    return el('span', { class: 'dead-link', title: `not followed: ${target.slice(0, 200)}` }, ...children);
  }
  return el('a', { href: address.href, rel: 'noopener noreferrer nofollow', target: '_blank', title: address.href }, ...children);
}
