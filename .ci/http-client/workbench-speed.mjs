// SPDX-License-Identifier: Apache-2.0
//
// Usage: node workbench-speed.mjs CHROMIUM VARVE FOLDER [CONTEXTS [TURNS_EACH]]
//
// The times of the workbench over a large store: 100,000 contexts of ten turns each, unless told otherwise, all of them
// branches of one turn, and one conversation of 10,000 turns. FOLDER is empty, or has the store of an earlier run. Prints medians and extremes, judges nothing.
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

/** The time from the request of a page to what `ready` waits for, in a browser that kept nothing. */
async function once(at, ready) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript((selector) => {
    new MutationObserver((_, observer) => {
      if (document.querySelector(selector) === null) return;
      observer.disconnect();
      window.readyMs = performance.now();
    }).observe(document, { childList: true, subtree: true });
  }, ready);
  await page.goto(`${url}/#/${at}`);
  await page.waitForFunction(() => window.readyMs !== undefined, undefined, { timeout: 60_000 });
  const millis = await page.evaluate(() => window.readyMs);
  await context.close();
  return millis;
}

async function median(name, at, ready) {
  const times = [];
  for (let i = 0; i < ROUNDS; i++) times.push(await once(at, ready));
  times.sort((a, b) => a - b);
  console.log(`${name}: ${Math.round(times[ROUNDS >> 1])} ms, from ${Math.round(times[0])} to ${Math.round(times[ROUNDS - 1])} ms`);
}

try {
  const { objects } = await (await fetch(`${url}/v1/metrics`)).json();
  console.log(`${objects.turns_total} turns of ${objects.contexts_total} contexts`);
  console.log(`the first view after the service began: ${Math.round(await once('contexts', '.context-row'))} ms`);
  await median('the list of contexts', 'contexts', '.context-row');
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
