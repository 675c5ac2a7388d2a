// SPDX-License-Identifier: Apache-2.0
//
// A reader of the workbench: pages that note every complaint of the browser, and journeys that are counted.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} url of the service
 * @param {string} pictures the folder of the screenshots
 * @param {string} [only] a text that the names of all journeys have that are wanted
 */
export function reader(browser, url, pictures, only = '') {
  const failures = [];

  /** A page that notes errors, also of its policy, dialogs, and requests that leave this machine. */
  async function open(at = '', options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    page.complaints = [];
    page.on('pageerror', (error) => page.complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) page.complaints.push(message.text());
    });
    page.on('dialog', (dialog) => { page.complaints.push('a dialog'); void dialog.dismiss(); });
    page.on('request', (request) => { if (!/^(data:|blob:)/.test(request.url()) && new URL(request.url()).hostname !== '127.0.0.1') page.complaints.push(`asked ${request.url()}`); });
    await page.goto(`${url}/${at}`);
    return page;
  }

  async function done(page) {
    assert.deepEqual(page.complaints, []);
    assert.equal(await page.evaluate(() => window.pwned), undefined);
    await page.context().close();
  }

  async function check(page, name) {
    await page.evaluate(axe);
    const found = await page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }));
    assert.deepEqual(found.violations.map((each) => `${each.id}: ${each.nodes.slice(0, 3).map((node) => node.html.slice(0, 200)).join(' | ')}`), [], `axe, ${name}`);
    await page.screenshot({ path: path.join(pictures, `${name}.png`) });
  }

  async function journey(name, run) {
    if (!name.includes(only)) return;
    const begin = Date.now();
    try {
      await run();
      console.log(`ok    ${name}, ${Date.now() - begin} ms`);
    } catch (error) {
      failures.push(name);
      console.log(`FAILS ${name}: ${error.stack ?? error}`);
    }
  }

  /** Ends the browser and the process, with a status that says whether every journey ended well. */
  async function finish(words) {
    await browser.close();
    console.log(failures.length === 0 ? `${words}: every journey ends well` : `${words}: ${failures.length} journeys fail: ${failures.join('; ')}`);
    process.exit(failures.length === 0 ? 0 : 1);
  }

  return { open, done, check, journey, finish };
}
