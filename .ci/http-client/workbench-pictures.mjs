// SPDX-License-Identifier: Apache-2.0
//
// Usage: node workbench-pictures.mjs CHROMIUM VARVE FOLDER PICTURES
//
// The pictures of docs/workbench.md, of made-up work on a made-up shop: sessions in Pi's format, which the command
// imports, and snapshots of a folder by Rewind. FOLDER is empty; the pictures go to PICTURES.
import { spawnSync } from 'node:child_process';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { serve } from './workbench-service.mjs';

const [browserPath, command, folder, pictures] = process.argv.slice(2);
const store = path.join(folder, 'store');
const sessions = path.join(folder, 'sessions');
const shop = path.join(folder, 'shop');
for (const each of [folder, sessions, shop, pictures]) fs.mkdirSync(each, { recursive: true });

function varve(...words) {
  const run = spawnSync('/bin/sh', ['-c', `exec ${command} "$@" --store "$0"`, store, ...words], { encoding: 'utf8' });
  assert.equal(run.status, 0, `${words.join(' ')}: ${run.stderr}`);
  return run.stdout.trim();
}

/** Work that is told from day to day: a title, the project, and what was said. */
const TALKS = [
  ['The cart forgets its discount', 'shop', 1], ['Ship the invoice as PDF', 'shop', 2], ['Why is checkout slow?', 'shop', 3],
  ['Move prices to whole cents', 'shop', 4], ['A limit for failed logins', 'accounts', 5], ['Explain the retry queue', 'mailer', 6],
  ['Tests for the tax table', 'shop', 8], ['Rename Basket to Cart', 'shop', 9], ['A health check for the mailer', 'mailer', 11], ['Delete accounts for good', 'accounts', 12],
];
const DAY_MS = 86_400_000;
let serial = 0;

/** A session file of Pi. An entry's parent is the entry before it, or the one that it names. */
function session(title, project, daysAgo, entries) {
  const begin = Date.now() - daysAgo * DAY_MS - 3_600_000;
  const at = (i) => new Date(begin + i * 41_000).toISOString();
  const id = `0197a000-0000-7000-8000-${String(++serial).padStart(12, '0')}`;
  const lines = [{ type: 'session', version: 3, id, timestamp: at(0), cwd: `/src/${project}` }];
  const usage = { input: 1_800, output: 240, cacheRead: 0, cacheWrite: 0, totalTokens: 2_040, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } };
  entries.forEach(({ parent = lines.length - 2, compaction, ...message }, i) => {
    if (compaction !== undefined) {
      lines.push({ type: 'compaction', id: (0x10000000 + i).toString(16), parentId: (0x10000000 + parent).toString(16), timestamp: at(i + 1), summary: compaction, firstKeptEntryId: (0x10000000 + parent).toString(16), tokensBefore: 91_300 });
      return;
    }
    const more = message.role === 'assistant' ? { api: 'any', provider: 'any', model: 'large-3', stopReason: 'stop', usage } : {};
    lines.push({ type: 'message', id: (0x10000000 + i).toString(16), parentId: parent < 0 ? null : (0x10000000 + parent).toString(16), timestamp: at(i + 1), message: { ...message, ...more, timestamp: begin + (i + 1) * 41_000 } });
  });
  fs.writeFileSync(path.join(sessions, `${at(0).replaceAll(/[:.]/g, '-')}_${id}.jsonl`), lines.map((line) => JSON.stringify(line)).join('\n') + '\n');
}

const user = (text, more = {}) => ({ role: 'user', content: [{ type: 'text', text }], ...more });
const says = (text, calls = [], more = {}) => ({ role: 'assistant', content: [...(more.thinking ? [{ type: 'thinking', thinking: more.thinking }] : []), { type: 'text', text }, ...calls], ...(more.parent === undefined ? {} : { parent: more.parent }) });
const call = (id, name, args) => ({ type: 'toolCall', id, name, arguments: args });
const result = (id, name, text, isError = false) => ({ role: 'toolResult', toolCallId: id, toolName: name, content: [{ type: 'text', text }], isError });

session('', 'shop', 0, [
  user('The cart forgets its discount'),
  says('I look at how the total is made.', [call('c1', 'bash', { command: 'grep -n discount src/cart.js' })], { thinking: 'The discount is probably kept with the items.' }),
  result('c1', 'bash', 'src/cart.js:12:    this.total = sum(this.items) - this.discount;\nsrc/cart.js:31:    this.total = sum(this.items);\n'),
  says('Line 31 leaves the discount out. One place should make the total:', [call('c2', 'edit', { path: 'src/cart.js', edits: [{ oldText: '    this.total = sum(this.items);\n', newText: '    this.total = this.totalOf(this.items);\n' }] })]),
  result('c2', 'edit', '--- src/cart.js\n+++ src/cart.js\n@@ -29,5 +29,5 @@\n   remove(item) {\n     this.items.delete(item);\n-    this.total = sum(this.items);\n+    this.total = this.totalOf(this.items);\n   }\n'),
  says('Now the test.', [call('c3', 'bash', { command: 'npm test -- cart' })]),
  result('c3', 'bash', '# tests 14\n# pass 13\n# fail 1\n', true),
  says('One test expects the old total. The discount is 5 %, so **95.00** is right:\n\n1. the test compared with 100.00,\n2. nobody had noticed, because no other test removes an item.'),
  user('Rather keep the discount in the items.', { parent: 2 }),
  says('Then each item knows its own price after the discount.', [call('d1', 'edit', { path: 'src/item.js', oldText: 'price', newText: 'priceAfterDiscount' })]),
  result('d1', 'edit', 'done'),
  says('All 14 tests pass.'),
  user('And without a class?', { parent: 9 }),
  says('A function over a list is enough; `Cart` goes.'),
  { compaction: 'The cart became a function over a list of items, each with its price after the discount.' },
  user('Then the docs.'),
  says('The page about the cart describes the function now.'),
]);
for (const [title, project, daysAgo] of TALKS.slice(1)) {
  session(title, project, daysAgo, [user(title), says(`I read the code of ${project} first.`, [call('b', 'bash', { command: `ls /src/${project}` })]), result('b', 'bash', 'README.md\nsrc\ntest\n'), says('This is done. The tests pass.'), user('Thanks. Why did it take three steps?'), says('The first two showed where the change belongs.')]);
}
varve('import', sessions);

/** Files of the shop, captured twice, and changed once more. */
function write(files) {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(shop, name)), { recursive: true });
    fs.writeFileSync(path.join(shop, name), text);
  }
}
write({ 'README.md': '# The shop\n', 'src/cart.js': 'export class Cart {\n  total() {\n    return sum(this.items);\n  }\n}\n', 'src/item.js': 'export const price = (item) => item.cents;\n', 'test/cart.test.js': "test('a sum', () => {});\n" });
for (const done of ['the cart', 'its prices', 'before the discount']) {
  write({ 'CHANGES.md': `# Changes\n\n- ${done}\n` });
  varve('rewind', 'capture', '--native', '-C', shop, '-m', done);
}
write({ 'src/cart.js': 'export class Cart {\n  total() {\n    return sum(this.items) - this.discount;\n  }\n}\n', 'src/discount.js': 'export const discount = 0.05;\n' });
fs.rmSync(path.join(shop, 'test/cart.test.js'));

const service = await serve(command, store);
const url = service.http;
const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
try {
  const { contexts } = await (await fetch(`${url}/v1/contexts?limit=100`)).json();
  const cart = contexts.filter((each) => each.title?.startsWith('The cart forgets')).sort((a, b) => b.head_depth - a.head_depth);
  const turns = (await (await fetch(`${url}/v1/metrics`)).json()).objects.turns_total;

  /** Takes one picture, once `ready` is there. */
  async function picture(name, at, colorScheme, ready, act = async () => {}, height = 600) {
    const context = await browser.newContext({ viewport: { width: 960, height }, colorScheme });
    const page = await context.newPage();
    await page.goto(`${url}/#/${at}`);
    await act(page);
    await page.locator(ready).first().waitFor({ timeout: 60_000 });
    await page.locator('[data-live=yes]').waitFor();
    await page.screenshot({ path: path.join(pictures, `${name}.png`) });
    await context.close();
  }
  await picture('contexts', 'contexts', 'light', '.context-row >> nth=8');
  await picture('conversation', `context/${cart[0].context_id}?turn=${cart[0].head_turn_id}`, 'dark', 'article >> nth=3', async (page) => {
    await page.locator('article').first().waitFor();
    await page.locator('.virtual').focus();
    await page.keyboard.press('g');
  });
  await picture('branches', `tree/${cart[0].context_id}`, 'light', '.tree-rows li >> nth=5', undefined, 400);
  await picture('comparison', `compare/${cart[0].context_id}/${cart[1].context_id}`, 'dark', '.side article');
  await picture('restore-plan', `files/${turns}?restore=plan`, 'light', '.change.modified', (page) => page.getByRole('button', { name: 'Plan a restore' }).click(), 380);
  await picture('storage', 'storage', 'light', '.shares', async (page) => {
    await page.locator('[data-survey=space] .begin').click();
    await page.locator('.shares').waitFor({ timeout: 60_000 });
    await page.locator('[data-survey=space]').evaluate((section) => section.scrollIntoView());
  }, 700);
} finally {
  await browser.close();
  await service.stop();
}
for (const name of fs.readdirSync(pictures)) {
  const sizeBytes = fs.statSync(path.join(pictures, name)).size;
  assert.ok(sizeBytes <= 150_000, `${name} has ${sizeBytes} bytes`);
}
console.log(`workbench: ${fs.readdirSync(pictures).length} pictures`);
