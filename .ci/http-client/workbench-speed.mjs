// SPDX-License-Identifier: Apache-2.0
//
// Usage: node workbench-speed.mjs CHROMIUM VARVE FOLDER [CONTEXTS [TURNS_EACH]]
//
// The times of the workbench over a large store: 100,000 contexts of ten turns each, unless told otherwise, all of them
// branches of one turn, and one conversation of 10,000 turns. A browser runs already; it kept nothing of the page, unless the line
// says so. FOLDER is empty, or has the store of an earlier run. Prints medians and extremes, judges nothing.
import { spawnSync } from 'node:child_process';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { serve } from './workbench-service.mjs';

const [browserPath, command, folder, contexts = '100000', turnsEach = '10'] = process.argv.slice(2);
const ROUNDS = 15;
const FILES_AT_ONCE = 10_000;
const store = path.join(folder, 'store');

/** Writes a conversation of one message a line. All have the first message in common, so that all are branches of one turn. */
function conversation(name, turns) {
  const file = path.join(folder, 'lines', `${name}.jsonl`);
  const lines = Array.from({ length: turns }, (_, i) => JSON.stringify({ role: i % 2 === 0 ? 'user' : 'assistant', content: i === 0 ? 'the origin of all' : `${name}, message ${i}` }));
  fs.writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

if (!fs.existsSync(store)) {
  const names = Array.from({ length: Number(contexts) }, (_, i) => `talk-${String(i).padStart(8, '0')}`);
  fs.mkdirSync(path.join(folder, 'lines'), { recursive: true });
  const files = names.map((name) => conversation(name, Number(turnsEach)));
  files.push(conversation('long-conversation', 10_000));
  for (let from = 0; from < files.length; from += FILES_AT_ONCE) {
    const run = spawnSync('/bin/sh', ['-c', `exec ${command} import jsonl --quiet --store "$0" "$@"`, store, ...files.slice(from, from + FILES_AT_ONCE)], { encoding: 'utf8', maxBuffer: 1 << 30 });
    assert.equal(run.status, 0, run.stderr.slice(0, 2_000));
  }
  fs.rmSync(path.join(folder, 'lines'), { recursive: true });
}

const service = await serve(command, store);
const url = service.http;
const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });

/**
 * The time from the request of a page to what `ready` waits for, the requests until then, and the time for which the page's thread was
 * busy, which other programs on the machine disturb less.
 *
 * @param {string} at
 * @param {string} ready
 * @param {import('playwright-core').BrowserContext} [kept] a browser that opened the page before; else one that kept nothing
 */
async function once(at, ready, kept) {
  const context = kept ?? await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript((selector) => {
    new MutationObserver((_, observer) => {
      if (document.querySelector(selector) === null) return;
      observer.disconnect();
      window.readyMs = performance.now();
    }).observe(document, { childList: true, subtree: true });
  }, ready);
  const cdp = await context.newCDPSession(page);
  await cdp.send('Performance.enable');
  await page.goto(`${url}/#/${at}`);
  await page.waitForFunction(() => window.readyMs !== undefined, undefined, { timeout: 60_000 });
  const { metrics } = await cdp.send('Performance.getMetrics');
  const found = await page.evaluate(() => ({
    millis: window.readyMs,
    requests: 1 + performance.getEntriesByType('resource').filter((each) => each.startTime < window.readyMs && each.transferSize > 0).length,
  }));
  await (kept === undefined ? context : page).close();
  return { ...found, busyMs: 1_000 * metrics.find((each) => each.name === 'TaskDuration').value };
}

/** The time for which the processors worked for the service, in milliseconds. */
function serviceMs() {
  const [user, system] = fs.readFileSync(`/proc/${service.pid}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13);
  return 10 * (Number(user) + Number(system));
}

async function median(name, at, ready, kept) {
  const all = [];
  const before = serviceMs();
  for (let i = 0; i < ROUNDS; i++) all.push(await once(at, ready, kept));
  const spent = Math.round((serviceMs() - before) / ROUNDS);
  const sorted = (of) => all.map(of).sort((a, b) => a - b).map(Math.round);
  const times = sorted((each) => each.millis);
  console.log(`${name}: ${times[ROUNDS >> 1]} ms, from ${times[0]} to ${times[ROUNDS - 1]} ms; ${sorted((each) => each.requests)[ROUNDS >> 1]} requests; the page was busy for ${sorted((each) => each.busyMs)[ROUNDS >> 1]} ms, the service for ${spent} ms`);
}

try {
  const { objects } = await (await fetch(`${url}/v1/metrics`)).json();
  console.log(`${objects.turns_total} turns of ${objects.contexts_total} contexts`);
  console.log(`the first view after the service began: ${Math.round((await once('contexts', '.context-row')).millis)} ms`);
  await median('the list of contexts', 'contexts', '.context-row');
  const again = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await once('contexts', '.context-row', again);
  await median('the list of contexts, opened again', 'contexts', '.context-row', again);
  const { contexts: found } = await (await fetch(`${url}/v1/contexts/search?q=${encodeURIComponent('depth > 9000')}`)).json();
  await median('a conversation of 10,000 turns', `context/${found[0].context_id}`, 'article');
  await median('the branches among all contexts', `tree/${found[0].context_id}`, '.tree-rows li');
  await median('the storage', 'storage', '.card');

  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto(url);
  await page.locator('.context-row').first().waitFor();
  const begin = Date.now();
  const frames = await page.evaluate(async (count) => {
    const list = document.querySelector('.virtual');
    let longest = 0;
    let last = performance.now();
    while (document.querySelector('.filters [role=status]').textContent.replaceAll(',', '') !== String(count)) {
      list.scrollTop = list.scrollHeight;
      await new Promise((resolve) => { requestAnimationFrame(resolve); });
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
      if (last > 300_000) break;
    }
    return { longest, rows: document.querySelectorAll('.context-row').length, shown: document.querySelector('.filters [role=status]').textContent };
  }, objects.contexts_total);
  console.log(`scrolled to the end of ${frames.shown} contexts in ${Date.now() - begin} ms, the longest frame ${Math.round(frames.longest)} ms, ${frames.rows} rows in the page`);
} finally {
  await browser.close();
  await service.stop();
}
