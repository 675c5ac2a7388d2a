// SPDX-License-Identifier: Apache-2.0

/** @type {Promise<unknown> | null} */
let announced = null;

/**
 * Has the browser read the modules and styles of all views but the first, which are not waited for before the first view stands.
 *
 * @returns {Promise<unknown>} settled once the styles are there, or cannot be had
 */
export function announce() {
  announced ??= Promise.all([.../** @type {HTMLTemplateElement} */ (document.getElementById('later')).content.children].map((link) => {
    const loaded = link.getAttribute('rel') === 'stylesheet' && new Promise((resolve) => { for (const end of ['load', 'error']) link.addEventListener(end, resolve, { once: true }); });
    document.head.append(link);
    return loaded;
  }));
  return announced;
}
