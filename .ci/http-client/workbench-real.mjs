// SPDX-License-Identifier: Apache-2.0
//
// Usage: node workbench-real.mjs CHROMIUM VARVE STORE PICTURES WORKTREE [JOURNEY]
//
// The workbench over a store of real conversations (.ci/workbench-real.sh): each view, and the journeys of a reader who looks for
// what each agent did. What a view shows is compared with what the service answers. WORKTREE is a folder with snapshots in the
// store; it is changed. With JOURNEY, only the journeys whose names have that text.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { reader } from './workbench-page.mjs';
import { serve } from './workbench-service.mjs';

const [browserPath, command, store, pictures, worktree, only = ''] = process.argv.slice(2);
fs.mkdirSync(pictures, { recursive: true });
let service = await serve(command, store);
const url = service.http;
const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
const { open, done, check, journey, finish } = reader(browser, url, pictures, only);

const get = async (at) => {
  const response = await fetch(url + at);
  assert.ok(response.ok, `${at}: ${response.status}`);
  return response.json();
};
const post = (at) => fetch(url + at, { method: 'POST' });
const english = (count) => count.toLocaleString('en');
const turnsOf = (context) => (context.head_turn_id === '0' ? 0 : context.head_depth + 1);

/** All contexts that a reader sees; the index has to know each first. */
async function listed() {
  for (;;) {
    const page = await get('/v1/contexts?limit=1000');
    if (page.incomplete !== true) return page.contexts;
  }
}
const contexts = await listed();
const agents = [...new Set(contexts.map((each) => each.agent).filter((agent) => agent !== undefined))].sort();
const longest = (agent) => contexts.filter((each) => each.agent === agent).reduce((a, b) => (turnsOf(b) > turnsOf(a) ? b : a));
console.log(`      ${contexts.length} contexts of ${agents.length} agents: ${agents.join(', ')}`);
for (const agent of ['claude-code', 'cline', 'codex', 'gemini', 'jp', 'pi', 'qwen']) assert.ok(agents.includes(agent), `nothing of ${agent} is in the store`);

/** What the text of a payload is called by whichever agent. */
const TEXTS = new Set(['text', 'content', 'message', 'output', 'data']);

/** The first run of plain words in a payload. */
function wordsIn(value, name = '') {
  if (typeof value === 'string') return TEXTS.has(name) ? (value.match(/(?<![\p{L}\d_])[A-Za-z]{2,} [a-z]+(?: [a-z]+){0,2}(?![\p{L}\d_])/u)?.[0] ?? null) : null;
  if (value === null || typeof value !== 'object') return null;
  for (const [key, inner] of Object.entries(value)) {
    const found = wordsIn(inner, Array.isArray(value) ? name : key);
    if (found !== null) return found;
  }
  return null;
}

/** A phrase that an agent's payload has, read from the payload itself. */
async function phraseOf(agent) {
  for (const context of contexts.filter((each) => each.agent === agent && turnsOf(each) > 0)) {
    const { turns } = await get(`/v1/contexts/${context.context_id}/turns?limit=50&view=typed`);
    for (const turn of turns) {
      const words = wordsIn(turn.data);
      if (words !== null) return words;
    }
  }
  throw new Error(`no words of ${agent}`);
}

await journey('contexts: all of them, each agent, project and title, filter, CQL, order', async () => {
  const page = await open();
  const status = (text) => page.locator('.filters [role=status]').filter({ hasText: new RegExp(`^${text}$`) }).waitFor();
  await status(english(contexts.length));
  await page.locator('.context-row .size', { hasText: /B$/ }).first().waitFor();
  const newest = contexts[0];
  const row = await page.locator('.context-row').first().textContent();
  for (const word of [newest.agent, newest.project, newest.context_id]) if (word !== undefined) assert.ok(row.includes(word), `${word} in ${row}`);
  await check(page, 'contexts');
  for (const agent of agents) {
    await page.fill('#filter', agent);
    const fit = contexts.filter((each) => [each.context_id, each.title, each.agent, each.project, each.client_tag, each.folder, ...(each.labels ?? [])].join('\n').toLowerCase().includes(agent));
    await status(`${english(fit.length)} of ${english(contexts.length)}`);
    await page.locator('.context-row .agent', { hasText: agent }).first().waitFor();
  }
  await page.locator('.context-row .agent').first().click();
  await page.fill('#filter', '');
  await page.selectOption('#sort', 'turns');
  const most = contexts.reduce((a, b) => (turnsOf(b) > turnsOf(a) ? b : a));
  await page.waitForFunction((count) => document.querySelector('.context-row .turns')?.textContent === count, english(turnsOf(most)));
  await page.fill('#cql', 'depth > 20');
  await page.press('#cql', 'Enter');
  const deep = await get(`/v1/contexts/search?q=${encodeURIComponent('depth > 20')}&limit=1000`);
  assert.ok(deep.total_count > 5);
  await status(english(deep.total_count));
  await done(page);
});

await journey('conversations: the longest of each agent, as many turns as the service has, at both ends', async () => {
  for (const agent of agents) {
    const about = longest(agent);
    const page = await open(`#/context/${about.context_id}`, { viewport: { width: 360, height: 640 } });
    await page.locator('.page-head', { hasText: `${english(turnsOf(about))} turns` }).waitFor();
    await page.locator(`article[data-turn="${about.head_turn_id}"]`).waitFor();
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(over <= 0, `${agent}: ${over} px too broad`);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.locator('.virtual').focus();
    await page.keyboard.press('g');
    await page.locator('.virtual-item[data-index="0"] header').waitFor();
    assert.ok((await page.locator('article').count()) < 60, 'only what is seen is in the page');
    await check(page, `conversation-${agent}`);
    await done(page);
  }
});

await journey('conversations: every one opens, and nothing in it stops the page', async () => {
  const page = await open('#/contexts');
  await page.locator('.context-row').first().waitFor();
  for (const about of contexts) {
    await page.evaluate((id) => { location.hash = `#/context/${id}`; }, about.context_id);
    if (turnsOf(about) === 0) await page.locator('[data-state=empty]').waitFor();
    else await page.locator(`article[data-turn="${about.head_turn_id}"] header`).waitFor();
  }
  await done(page);
});

await journey('search: a phrase of each agent is found, and leads to its turn', async () => {
  for (const agent of agents.filter((each) => each !== 'varve')) { // its snapshots have no words
    const words = await phraseOf(agent);
    const page = await open('#/search');
    await page.fill('#q', `"${words}" agent:${agent}`);
    await page.press('#q', 'Enter');
    const found = page.locator('.found p', { has: page.locator('mark') }).filter({ has: page.locator('a[href*="?turn="]') }).first();
    await found.waitFor({ timeout: 20_000 }).catch((e) => { throw new Error(`${agent}, ${words}: ${e}`); });
    assert.equal((await page.locator('.found h2 .fact').allTextContents()).filter((fact) => fact === agent).length, await page.locator('.found').count());
    await found.locator('a').click();
    const marked = page.locator('article.is-marked');
    await marked.waitFor();
    assert.match(page.url(), /\/#\/context\/\d+\?turn=\d+$/);
    assert.equal(await marked.getAttribute('data-turn'), new URL(page.url()).hash.split('turn=')[1]);
    const box = await marked.boundingBox();
    assert.ok(box.y < 800 && box.y + box.height > 0, 'the turn is seen');
    await done(page);
  }
});

await journey('branches and comparison: a family of Pi', async () => {
  let family = null;
  for (const each of contexts.filter((context) => context.agent === 'pi')) {
    const tree = await get(`/v1/contexts/${each.context_id}/tree`);
    if (family === null || tree.total_count > family.total_count) family = tree;
  }
  assert.ok(family.total_count >= 3);
  const page = await open(`#/tree/${family.context_id}`);
  await page.locator('.page-head', { hasText: `${english(family.total_count)} contexts` }).waitFor();
  assert.equal(await page.locator('.tree-rows li').count(), family.knots.length);
  await check(page, 'branches');
  const [a, b] = family.contexts;
  for (const each of [a, b]) await page.locator(`.tree-rows input[value="${each.context_id}"]`).check();
  await page.getByRole('button', { name: 'Compare the two' }).click();
  const { common_turn_id: common, common_depth: depth } = await get(`/v1/contexts/${a.context_id}/comparison?with=${b.context_id}`);
  assert.notEqual(common, null);
  await page.locator('.page-head', { hasText: `turn ${depth}` }).waitFor();
  const sides = page.locator('.side h2');
  for (const each of [a, b]) await sides.filter({ hasText: `${english(turnsOf(each) - depth - 1)} turn` }).first().waitFor();
  await check(page, 'comparison');
  await done(page);
});

await journey('files: a snapshot of a worktree, its changes, a plan', async () => {
  const snapshots = contexts.filter((each) => each.title === `Files of ${fs.realpathSync(worktree)}`);
  assert.equal(snapshots.length, 1);
  const [{ context_id: id, head_turn_id: last }] = snapshots;
  const { turns } = await get(`/v1/contexts/${id}/turns?limit=100&view=raw&bytes_render=len_only`);
  const pages = turns.filter((turn) => turn.fs_root_hash !== undefined);
  const { entries } = await get(`/v1/turns/${last}/fs`);
  const page = await open(`#/files/${last}`);
  for (const { name } of entries) await page.getByRole('button', { name, exact: true }).waitFor();
  await page.getByRole('button', { name: 'f.txt' }).click();
  await page.locator('.file pre').waitFor();
  await check(page, 'files');
  const { turn_id: since } = pages.find((turn) => turn.fs_root_hash !== pages.at(-1).fs_root_hash);
  const { changes } = await get(`/v1/turns/${last}/fs?since=${since}`);
  await page.goto(`${url}/#/files/${last}?since=${since}`);
  await page.locator('.change').first().waitFor();
  assert.equal(await page.locator('.change').count(), changes.length);
  await page.locator('.change summary').first().click();
  await page.locator('.diff').waitFor();
  fs.appendFileSync(path.join(worktree, 'f.txt'), 'written since\n');
  await page.goto(`${url}/#/files/${last}?compare=folder`);
  await page.locator('.change.modified summary', { hasText: 'f.txt' }).click({ timeout: 20_000 });
  await page.locator('.diff .add', { hasText: 'written since' }).waitFor();
  await check(page, 'changes-in-folder');
  await page.goto(`${url}/#/files/${last}?restore=plan`);
  await page.getByRole('button', { name: 'Plan a restore' }).click();
  await page.locator('.change.modified', { hasText: 'f.txt' }).waitFor({ timeout: 20_000 });
  await check(page, 'restore-plan');
  await done(page);
});

await journey('storage: by agent and by kind, as the survey counted', async () => {
  const page = await open('#/storage');
  const survey = (name) => page.locator(`[data-survey=${name}]`);
  for (const name of ['space', 'garbage', 'check']) await survey(name).locator('.begin').click();
  await survey('space').getByText('by project').waitFor({ timeout: 60_000 });
  const { space } = await get('/v1/surveys');
  const table = (title) => survey('space').getByRole('region', { name: title });
  const more = survey('space').locator('.more');
  while (await more.count() > 0) await more.first().click();
  for (const [title, shares] of [['by agent', space.last.agents], ['by kind', space.last.kinds]]) {
    assert.equal(await table(title).locator('tbody tr').count(), shares.length);
    for (const share of shares.filter((each) => each.name !== '' && each.name.length < 60)) {
      const row = table(title).locator('tr', { has: page.locator('th', { hasText: share.name }) }).filter({ has: page.locator(`[title="kept, ${english(share.kept_bytes)} bytes"]`) });
      assert.ok(await row.count() >= 1, `${title}: ${share.name}`);
    }
  }
  for (const agent of agents) assert.ok(space.last.agents.some((each) => each.name === agent), `no space of ${agent}`);
  await survey('garbage').getByText('Nothing: no payload is hidden').waitFor({ timeout: 60_000 });
  await survey('check').getByText('Sound.').waitFor({ timeout: 60_000 });
  await check(page, 'storage');
  await done(page);
});

await service.stop();
await finish('workbench over real conversations');
