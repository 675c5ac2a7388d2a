// SPDX-License-Identifier: Apache-2.0
//
// Usage: node workbench.mjs CHROMIUM VARVE FOLDER PICTURES [JOURNEY]
//
// The workbench in a real browser: every view, the journeys of a reader, hostile content, accessibility, a service that
// is away for a while, slow and damaged answers, tokens. FOLDER is empty; screenshots go to PICTURES. With JOURNEY, only
// the journeys whose names have that text.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { reader } from './workbench-page.mjs';
import { serve, start } from './workbench-service.mjs';
import { LINE_CHARACTERS, LONG, SIBLINGS, broadSession, fill, longLine, writer } from './workbench-store.mjs';

const [browserPath, command, folder, pictures, only = ''] = process.argv.slice(2);
fs.mkdirSync(pictures, { recursive: true });
fs.mkdirSync(folder, { recursive: true });

const serveStore = (name, http, ...more) => serve(command, path.join(folder, name), http, ...more);
const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
let service = await serveStore('store', '127.0.0.1:0');
const url = service.http;
const made = await fill(url);

const { open, done, check, journey, finish } = reader(browser, url, pictures, only);

const has = (page, text) => page.locator('#view').getByText(text, { exact: false }).first().waitFor({ timeout: 20_000 });
const turn = (page, text) => page.locator('article', { hasText: text }).first().waitFor({ timeout: 20_000 });

await journey('contexts: the list, filter, order, CQL, keys', async () => {
  const page = await open();
  await page.locator('.context-row').first().waitFor();
  const firstMs = await page.evaluate(() => performance.now());
  console.log(`      the first rows stand ${Math.round(firstMs)} ms after the page was asked for`);
  await check(page, 'contexts');
  assert.ok((await page.locator('.context-row').count()) < 80, 'only what is seen is in the page');
  await page.keyboard.press('/');
  await page.keyboard.type('long conversation');
  await page.waitForFunction(() => document.querySelectorAll('.context-row').length === 1);
  assert.match(await page.locator('.context-row').textContent(), /A long conversation.*10,000/s);
  await page.locator('.context-row .size', { hasText: /^[\d.]+ MB$/ }).waitFor();
  assert.match(page.url(), /q=long\+conversation/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await turn(page, `message ${LONG - 1}`);
  await page.goto(`${url}/#/contexts?sort=turns`);
  await page.waitForFunction((text) => document.querySelector('.context-row')?.textContent.includes(text), 'A long conversation');
  await page.fill('#cql', 'depth > 100');
  await page.press('#cql', 'Enter');
  await page.waitForFunction(() => document.querySelectorAll('.context-row').length === 1);
  await page.fill('#cql', 'depth >');
  await page.press('#cql', 'Enter');
  await page.locator('.trouble').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('#view').focus();
  await page.keyboard.press('?');
  await page.getByText('next context', { exact: true }).waitFor();
  await check(page, 'keys');
  await page.keyboard.press('Escape');
  await done(page);
});

await journey('contexts: all are reached by scrolling', async () => {
  const page = await open();
  await page.locator('.context-row').first().waitFor();
  await page.waitForFunction((count) => {
    const list = document.querySelector('.virtual');
    list.scrollTop = list.scrollHeight;
    return document.querySelector('.filters [role=status]').textContent === String(count);
  }, made.contexts);
  await has(page, 'A long conversation');
  await done(page);
});

await journey('a conversation of 10,000 turns: its end, any depth, a link, find, live', async () => {
  const page = await open(`#/context/${made.long}`);
  await turn(page, `message ${LONG - 1}`);
  await check(page, 'conversation');
  await page.evaluate(() => { const list = document.querySelector('.virtual'); list.dispatchEvent(new Event('wheel')); list.scrollTop = list.scrollHeight / 2; });
  await page.waitForFunction(() => [...document.querySelectorAll('article')].some((each) => /message [45]\d\d\d/.test(each.textContent)));
  assert.ok((await page.locator('article').count()) < 60, 'only what is seen is in the page');
  await page.locator('.virtual').focus();
  await page.keyboard.press('g');
  await turn(page, 'message 0');
  await page.fill('#find', 'message 7777');
  await page.press('#find', 'Enter');
  await page.locator('article.is-marked', { hasText: 'message 7777' }).waitFor({ timeout: 20_000 });
  const link = page.url();
  assert.match(link, /\?turn=\d+/);
  await page.locator('.virtual').focus();
  await page.keyboard.press('G');
  await turn(page, `message ${LONG - 1}`);
  await writer(url).append(made.long, { role: 'assistant', text: 'what was just said' });
  await page.locator('article', { hasText: 'what was just said' }).waitFor({ timeout: 5_000 });
  const other = await open(new URL(link).hash);
  const marked = other.locator('article.is-marked', { hasText: 'message 7777' });
  await marked.waitFor();
  const box = await marked.boundingBox();
  assert.ok(box.y >= 0 && box.y < 800, 'a link leads to its turn');
  await marked.locator('summary', { hasText: 'raw' }).click();
  await marked.getByText('copy as JSON').waitFor();
  await done(other);
  await done(page);
});

await journey('typed turns: call and result, diff, exit status, thinking, dark', async () => {
  const page = await open(`#/context/${made.tools}`, { colorScheme: 'dark' });
  await turn(page, 'Done.');
  await page.locator('strong', { hasText: 'fix' }).waitFor();
  await page.locator('.exit.bad', { hasText: 'exit status 2' }).waitFor();
  assert.equal(await page.locator('.call.has-result').count(), 2);
  assert.ok((await page.locator('.diff .add').count()) >= 2);
  assert.equal(await page.locator('details.thinking[open]').count(), 0);
  await page.locator('details.thinking summary').click();
  await page.getByText('a thought').waitFor();
  await check(page, 'typed-dark');
  await done(page);
});

await journey('typed turns: records of Claude Code, Codex, Gemini, Qwen, opencode and Cline', async () => {
  const page = await open(`#/context/${made.agents}`, { viewport: { width: 1280, height: 3_000 } });
  await turn(page, 'ask of Claude Code');
  await turn(page, 'out of Cline');
  assert.equal(await page.locator('.picture').count(), 1);
  assert.equal(await page.locator('.call.has-result').count(), 7);
  assert.deepEqual(await page.locator('.exit').allTextContents(), ['exit status 3', 'exit status 0', 'exit status 4', 'exit status 5']);
  await page.locator('.result .diff .add', { hasText: 'patched is' }).waitFor();
  for (const agent of ['Claude Code', 'Codex', 'Gemini', 'Qwen']) assert.equal(await page.locator('details.thinking:not([open])', { hasText: `a thought of ${agent}` }).count(), 1, agent);
  for (const out of ['Codex', 'Gemini', 'Qwen', 'opencode', 'Cline']) await page.locator('.call .result', { hasText: `out of ${out}` }).waitFor();
  assert.equal(await page.locator('.role', { hasText: 'compaction' }).count(), 2);
  await page.getByText('12345 tokens before').waitFor();
  assert.equal(await page.locator('.json').count(), 0, 'nothing is shown as JSON');
  await check(page, 'agents');
  await done(page);
});

await journey('a blob: its bytes are copied as text and as hex', async () => {
  const page = await open(`#/blob/${made.blob}`, { permissions: ['clipboard-read', 'clipboard-write'] });
  const copied = async (name) => {
    await page.getByRole('button', { name, exact: true }).click();
    await page.getByText('copied').waitFor();
    await page.getByRole('button', { name, exact: true }).waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  assert.equal(await copied('copy as text'), 'the bytes of a blob\n');
  assert.equal(await copied('copy as hex'), Buffer.from('the bytes of a blob\n').toString('hex'));
  assert.equal(await copied('copy the hash'), made.blob);
  await check(page, 'blob');
  await done(page);
});

await journey('branches: the graph, picking two, comparing them and their files', async () => {
  const page = await open(`#/context/${made.fork}`);
  await turn(page, 'to the same end');
  await page.locator('.virtual').focus();
  await page.keyboard.press('t');
  await page.locator('.tree-rows li').nth(3).waitFor();
  assert.equal(await page.locator('.graph circle').count(), 4);
  await check(page, 'branches');
  for (const box of await page.locator('.tree-rows input').all()) await box.check();
  await page.getByRole('button', { name: 'Compare the two' }).click();
  await has(page, 'both go through');
  await turn(page, 'another way');
  await turn(page, 'Done.');
  await page.locator('.change.modified', { hasText: 'readme.txt' }).locator('summary').click();
  const columns = page.locator('.columns tr', { hasText: '+2' });
  await columns.waitFor();
  assert.deepEqual(await columns.locator('td').evaluateAll((cells) => cells.map((cell) => cell.dataset.n ?? cell.textContent)), ['2', '-two', '2', '+2']);
  await check(page, 'comparison');
  await page.locator('#view').focus();
  await page.keyboard.press('d');
  await page.locator('.changes .diff .line.add', { hasText: '2' }).waitFor();
  assert.equal(await page.locator('.columns').count(), 0);
  await page.reload();
  await page.locator('.change.modified', { hasText: 'readme.txt' }).locator('summary').click();
  await page.locator('.changes .diff .line.add', { hasText: '2' }).waitFor();
  await page.getByRole('button', { name: 'Diffs in two columns' }).click();
  await columns.waitFor();
  await page.setViewportSize({ width: 360, height: 640 });
  await page.locator('.changes .diff .line.add', { hasText: '2' }).waitFor();
  assert.equal(await page.locator('.columns').count(), 0, 'a narrow page has one column');
  await check(page, 'comparison-narrow');
  await done(page);
});

await journey('branches: a compaction, a sub-agent and snapshots are marked', async () => {
  const page = await open(`#/tree/${made.marked}`, { colorScheme: 'dark' });
  await page.locator('.is-mark.compaction', { hasText: '#1' }).waitFor();
  await page.locator('.legend li', { hasText: 'sub-agent' }).waitFor();
  assert.equal(await page.locator('.is-mark.snapshot').count(), 3);
  await page.locator('.is-mark.snapshot', { hasText: '2 more before' }).getByRole('button', { name: 'Show all' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.is-mark.snapshot').length === 5);
  await check(page, 'marks');
  await page.setViewportSize({ width: 360, height: 640 });
  await check(page, 'marks-narrow');
  await page.locator('.is-mark.snapshot').first().getByRole('link', { name: 'files at this turn' }).click();
  await page.getByRole('button', { name: 'readme.txt' }).waitFor();
  await page.goto(`${url}/#/tree/${made.marked}`);
  const agent = page.locator('.is-mark.sub_agent');
  await agent.waitFor();
  await page.locator('#view').focus();
  const isAgent = () => page.evaluate((id) => document.activeElement.closest('.sub_agent') !== null && document.activeElement.getAttribute('href') === `#/context/${id}`, made.agent);
  for (let i = 0; i < 30 && !(await isAgent()); i++) await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await turn(page, 'look around');
  await page.goto(`${url}/#/tree/${made.agent}`);
  await page.getByRole('link', { name: /begun at #/ }).click();
  await page.locator('article.is-marked').waitFor();
  await done(page);
});

await journey('files: the tree, a file, changes since another turn', async () => {
  const page = await open(`#/files/${made.filesOne}`);
  await page.getByRole('button', { name: 'readme.txt' }).click();
  await has(page, 'three');
  await page.locator('summary', { hasText: 'src/' }).click();
  await page.getByRole('button', { name: 'Main.java' }).click();
  await has(page, 'class Main');
  await page.getByRole('button', { name: 'evil.svg' }).click();
  await has(page, 'onload=');
  await check(page, 'files');
  await page.goto(`${url}/#/files/${made.filesTwo}?since=${made.filesOne}`);
  await page.locator('.change.added', { hasText: 'new.txt' }).waitFor();
  await page.locator('.change.removed', { hasText: 'evil.svg' }).waitFor();
  await page.goto(`${url}/#/files/1`);
  await page.locator('[data-state=missing]').waitFor();
  await done(page);
});

await journey('files: the plan of a restore, which nothing carries out', async () => {
  const worktree = path.join(folder, 'worktree');
  fs.mkdirSync(path.join(worktree, 'src'), { recursive: true });
  fs.writeFileSync(path.join(worktree, 'readme.txt'), 'one\ntwo\n');
  fs.writeFileSync(path.join(worktree, 'src', 'gone.txt'), 'soon gone\n');
  const captured = spawnSync('/bin/sh', ['-c', `${command} rewind capture --native -C "$1" --store "$0"`, path.join(folder, 'store'), worktree], { encoding: 'utf8' });
  assert.equal(captured.status, 0, captured.stderr);
  fs.writeFileSync(path.join(worktree, 'readme.txt'), 'one\n2\n');
  fs.rmSync(path.join(worktree, 'src', 'gone.txt'));
  fs.writeFileSync(path.join(worktree, 'new.txt'), 'new\n');
  const turns = (await (await fetch(`${url}/v1/metrics`)).json()).objects.turns_total;
  const page = await open(`#/files/${turns}`);
  await page.getByRole('link', { name: 'what a restore would change' }).click();
  await page.getByRole('button', { name: 'Plan a restore' }).click();
  await page.locator('.change.modified', { hasText: 'readme.txt' }).waitFor({ timeout: 20_000 });
  await page.locator('.change.added', { hasText: 'src/gone.txt' }).waitFor();
  await page.locator('.change.removed', { hasText: 'new.txt' }).waitFor();
  await has(page, 'Paths: 1 brought back, 1 changed, 1 deleted.');
  await check(page, 'restore-plan');
  assert.equal(fs.readFileSync(path.join(worktree, 'readme.txt'), 'utf8'), 'one\n2\n');
  assert.ok(fs.existsSync(path.join(worktree, 'new.txt')));
  fs.writeFileSync(path.join(folder, 'outside.txt'), 'what no page may show\n');
  fs.symlinkSync(path.join(folder, 'outside.txt'), path.join(worktree, 'link.txt'));
  await page.goto(`${url}/#/files/${turns}`);
  await page.getByRole('link', { name: 'changes in the folder since' }).click();
  const changed = (kind, name) => page.locator(`.change.${kind}`, { hasText: name });
  await changed('modified', 'readme.txt').waitFor({ timeout: 20_000 });
  for (const each of [changed('modified', 'readme.txt'), changed('removed', 'src/gone.txt'), changed('added', 'new.txt'), changed('added', 'link.txt')]) await each.locator('summary').click();
  await changed('modified', 'readme.txt').locator('.add', { hasText: '2' }).waitFor();
  await changed('modified', 'readme.txt').locator('.del', { hasText: 'two' }).waitFor();
  await changed('removed', 'src/gone.txt').locator('.del', { hasText: 'soon gone' }).waitFor();
  await changed('added', 'new.txt').locator('.add', { hasText: 'new' }).waitFor();
  await changed('added', 'link.txt').locator('.add', { hasText: 'outside.txt' }).waitFor();
  assert.equal(await page.getByText('what no page may show').count(), 0, 'a link is shown, not what it leads to');
  await check(page, 'changes-in-folder');
  fs.rmSync(path.join(worktree, 'link.txt'));
  await page.goto(`${url}/#/files/${made.filesOne}?compare=folder`);
  await page.locator('[data-state=missing]', { hasText: 'cannot be compared with a folder' }).waitFor();
  await page.goto(`${url}/#/files/${made.filesOne}?restore=plan`);
  await page.getByRole('button', { name: 'Plan a restore' }).click();
  await page.locator('[data-state=missing]', { hasText: 'No restore of these files can be planned here' }).waitFor();
  await done(page);
});

await journey('files: a restore that the page carries out and undoes', async () => {
  const worktree = path.join(folder, 'allowed');
  const store = path.join(folder, 'rewound');
  const file = (name) => path.join(worktree, name);
  fs.mkdirSync(worktree, { recursive: true });
  fs.writeFileSync(file('readme.txt'), 'one\ntwo\n');
  fs.writeFileSync(file('gone.txt'), 'soon gone\n');
  const captured = spawnSync('/bin/sh', ['-c', `${command} rewind capture --native -C "$1" --store "$0"`, store, worktree], { encoding: 'utf8' });
  assert.equal(captured.status, 0, captured.stderr);
  fs.writeFileSync(file('readme.txt'), 'one\n2\n');
  fs.rmSync(file('gone.txt'));
  fs.writeFileSync(file('new.txt'), 'new\n');
  const ui = await start(command, store, 'ui', '--no-open', '--allow-restore');
  const page = await open();
  await page.goto(ui.link);
  await page.locator('.context-row').waitFor();
  await page.goto(`${ui.http}/#/files/1?restore=plan`);
  const button = (name) => page.getByRole('button', { name });
  await button('Plan an undo').click();
  await page.locator('[data-state=missing]', { hasText: 'No restore of this folder is left to undo' }).waitFor();
  await page.reload();
  await button('Plan a restore').click();
  await page.locator('.change.removed', { hasText: 'new.txt' }).waitFor({ timeout: 20_000 });
  assert.equal(await page.getByText('Nothing is restored from this page').count(), 0);

  fs.writeFileSync(file('readme.txt'), 'one\nzwei\n');
  await button('Restore …').click();
  await button('Restore 3 paths').click();
  await page.locator('.trouble', { hasText: 'Nothing was restored: plan again' }).waitFor({ timeout: 20_000 });
  assert.equal(fs.readFileSync(file('readme.txt'), 'utf8'), 'one\nzwei\n');
  assert.ok(fs.existsSync(file('new.txt')));

  await button('Plan a restore').click();
  await button('Restore …').click();
  await button('Cancel').click();
  await page.keyboard.press('Enter');
  await page.getByText('The files as they are now are captured first').waitFor();
  await check(page, 'restore-confirmation');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await has(page, '3 paths restored');
  await check(page, 'restored');
  assert.equal(fs.readFileSync(file('readme.txt'), 'utf8'), 'one\ntwo\n');
  assert.equal(fs.readFileSync(file('gone.txt'), 'utf8'), 'soon gone\n');
  assert.ok(!fs.existsSync(file('new.txt')));

  await button('Plan an undo').click();
  await page.locator('.change.added', { hasText: 'new.txt' }).waitFor({ timeout: 20_000 });
  await button('Undo …').click();
  await button('Undo 3 paths').click();
  await has(page, '3 paths brought back');
  assert.equal(fs.readFileSync(file('readme.txt'), 'utf8'), 'one\nzwei\n');
  assert.ok(!fs.existsSync(file('gone.txt')));
  assert.equal(fs.readFileSync(file('new.txt'), 'utf8'), 'new\n');
  await done(page);
  await ui.stop();
});

await journey('search and storage', async () => {
  const page = await open('#/search?q=title%20%3D%20"Tools%20at%20work"');
  await has(page, '2 found');
  await page.locator('.context-row .size', { hasText: /^\d+ B$/ }).first().waitFor();
  await check(page, 'search');
  await page.goto(`${url}/#/search?words=another`);
  await page.locator('.snippet mark', { hasText: 'another' }).first().waitFor({ timeout: 20_000 });
  await check(page, 'search-words');
  await page.goto(`${url}/#/search?q=title%20%3D%20"Tools%20at%20work"`);
  await page.locator('.context-row a').last().click();
  await turn(page, 'Done.');
  await page.locator('#view').focus();
  await page.keyboard.press('3');
  await has(page, 'compression saves');
  await has(page, 'Not done since the service began.');
  assert.equal(await page.locator('.shares').count(), 0, 'nothing is counted before somebody asks');
  const survey = (name) => page.locator(`[data-survey=${name}]`);
  for (const name of ['space', 'garbage', 'check']) await survey(name).locator('.begin').click();
  await survey('space').getByText('by project').waitFor({ timeout: 60_000 });
  await survey('space').getByText('sharing saves').waitFor();
  await survey('space').locator('tr', { hasText: 'cxdb.ConversationItem' }).waitFor();
  await survey('garbage').getByText('1 blob of').waitFor({ timeout: 60_000 });
  await survey('check').getByText('Sound.').waitFor({ timeout: 60_000 });
  await check(page, 'storage');
  await page.reload();
  await survey('check').getByText('Sound.').waitFor();
  await survey('space').getByRole('link', { name: 'demo' }).click();
  await page.locator('.context-row', { hasText: 'Tools at work' }).first().waitFor();
  await done(page);
});

await journey('storage: a store that refuses writes, a check that finds damage', async () => {
  const page = await open();
  await page.route('**/health', (route) => route.fulfill({ status: 503, contentType: 'application/json', body: '{"status":"writes_refused","reason":"the disk is full","version":"1","uptime_seconds":1}' }));
  await page.route('**/v1/surveys', (route) => route.fulfill({ contentType: 'application/json', body: JSON.stringify({
    space: { running: true, done: 30, total: 120 },
    garbage: { running: false, done: 0, total: 0, failure: 'blobs.pack: offset 12: expected another checksum' },
    check: { running: false, done: 0, total: 0, last: { ended_at_unix_ms: 1, store_turns: 0, sound: false, blobs: 2, turns: 1, contexts: 1, problem_count: 1, problems: [{ file: 'turns.idx', offset: 7, what: 'expected \u202e1, found <b>2</b>', derived: true }] } },
  }) }));
  await page.goto(`${url}/#/storage`);
  await has(page, 'writes are refused');
  await has(page, 'the disk is full');
  await has(page, '25 %');
  assert.equal(await page.locator('[data-survey=space] .begin').isDisabled(), true);
  await has(page, 'expected another checksum');
  await has(page, '1 problem.');
  await has(page, '⟨202E⟩1, found <b>2</b>');
  await check(page, 'storage-damaged');
  await done(page);
});

await journey('hostile content is text', async () => {
  const page = await open(`#/context/${made.hostile}`);
  await turn(page, 'the end of what is hostile');
  await page.locator('.virtual').focus();
  await page.keyboard.press('g');
  await turn(page, '<script>window.pwned = 1</script>');
  await page.getByText('⟨202E⟩').first().waitFor();
  assert.equal(await page.locator('#view script, #view iframe, #view [onload], #view [onerror], #view object').count(), 0);
  assert.equal(await page.locator('#view a[href^="javascript:"], #view a[href^="data:"]').count(), 0);
  assert.equal(await page.locator('#view img').count(), 0, 'no picture from elsewhere, no SVG');
  await page.goto(`${url}/#/context/${made.hostile}?turn=${Number(made.hostileEnd) - 1}`);
  await page.locator('.trouble').first().waitFor();
  await check(page, 'hostile');
  await page.goto(`${url}/#/contexts?q=hostile`);
  await page.locator('.context-row', { hasText: '<script>' }).first().waitFor();
  await done(page);
});

await journey('a line of 20 MB, and 100,000 siblings', async () => {
  const session = path.join(folder, 'broad.jsonl');
  const line = path.join(folder, 'line.jsonl');
  broadSession(session);
  longLine(line);
  for (const words of [['pi', session], ['jsonl', line]]) {
    const run = spawnSync('/bin/sh', ['-c', `exec ${command} import --quiet "$@"`, 'varve', ...words, '--store', path.join(folder, 'extreme')], { encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
  }
  const extreme = await serveStore('extreme', '127.0.0.1:0');
  const { contexts: newest } = await (await fetch(`${extreme.http}/v1/contexts/search?q=depth%20%3D%201&limit=2`)).json();
  const page = await open();
  await page.goto(`${extreme.http}/#/context/${newest[0].context_id}`);
  await turn(page, 'behind the long line');
  await page.locator('.virtual').focus();
  await page.keyboard.press('g');
  await page.getByText(`Show more: ${(LINE_CHARACTERS - 20_000).toLocaleString('en')}`).waitFor({ timeout: 30_000 });
  const family = async () => (await fetch(`${extreme.http}/v1/contexts/${newest[1].context_id}/tree?limit=1`)).json();
  while ((await family()).incomplete) console.log('      not all contexts are known yet');
  await page.goto(`${extreme.http}/#/tree/${newest[1].context_id}`);
  await page.locator('.tree-rows li').nth(400).waitFor({ timeout: 30_000 });
  await page.locator('#view .page-head', { hasText: /100,00[01] contexts/ }).waitFor({ timeout: 20_000 });
  await has(page, 'Only 500 contexts are drawn');
  const begin = Date.now();
  await page.reload();
  await page.locator('.tree-rows li').nth(400).waitFor({ timeout: 30_000 });
  console.log(`      the branches among ${SIBLINGS} siblings stand again after ${Date.now() - begin} ms`);
  await check(page, 'siblings');
  await page.goto(`${extreme.http}/#/contexts`);
  await page.locator('.context-row').first().waitFor();
  assert.ok((await page.locator('.context-row').count()) < 80, 'only what is seen is in the page');
  await page.fill('#cql', 'depth = 1');
  await page.press('#cql', 'Enter');
  await page.locator('.filters [role=status]', { hasText: /^10,000, the newest of 100,0\d\d that fit/ }).waitFor({ timeout: 30_000 });
  await done(page);
  await extreme.stop();
});

await journey('narrow, wide and zoomed', async () => {
  for (const [name, width, height] of [['narrow', 360, 640], ['wide', 3840, 2160], ['zoomed', 640, 400]]) {
    for (const place of ['contexts', `context/${made.tools}`, `tree/${made.fork}`, `compare/${made.tools}/${made.fork}`, `files/${made.filesOne}`, 'storage', 'search']) {
      const page = await open(`#/${place}`, { viewport: { width, height } });
      await page.waitForFunction(() => document.querySelector('#view').childElementCount > 0 && document.querySelector('[data-state=loading]') === null);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(over <= 0, `${place} is ${over} px too broad at ${width}`);
      const under = await page.evaluate(() => document.documentElement.scrollHeight - document.documentElement.clientHeight);
      assert.ok(under <= 0, `${place} is ${under} px too high at ${width}: its head can be scrolled away`);
      await page.screenshot({ path: path.join(pictures, `${name}-${place.split('/')[0]}.png`) });
      await done(page);
    }
  }
});

await journey('states: empty, missing, slow, damaged', async () => {
  const page = await open(`#/context/${made.empty}`);
  await page.locator('[data-state=empty]').waitFor();
  await page.goto(`${url}/#/context/999999`);
  await page.locator('[data-state=missing]').waitFor();
  await page.goto(`${url}/#/nowhere`);
  await page.locator('[data-state=missing]').waitFor();
  let release = () => {};
  await page.route('**/v1/metrics', async (route) => { await new Promise((resolve) => { release = resolve; }); await route.continue(); });
  await page.goto(`${url}/#/storage`);
  await page.locator('[data-state=loading]').waitFor();
  await page.locator('[data-state=slow]').waitFor({ timeout: 10_000 });
  await page.screenshot({ path: path.join(pictures, 'slow.png') });
  release();
  await has(page, 'compression saves');
  await page.unroute('**/v1/metrics');
  await page.route('**/v1/contexts/*/tree', (route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{"error":{"code":500,"message":"blobs.pack: checksum"}}' }));
  await page.goto(`${url}/#/tree/${made.fork}`);
  await page.locator('[data-state=damaged]', { hasText: 'checksum' }).waitFor();
  await page.screenshot({ path: path.join(pictures, 'damaged.png') });
  for (const odd of ['constructor', '__proto__', 'context/%', '%E0%A4%A']) {
    await page.goto(`${url}/#/${odd}`);
    await page.locator('#view [data-state=missing], #view [data-state=refused]').waitFor();
    await page.goto(`${url}/#/contexts`);
    await page.locator('.context-row').first().waitFor();
  }
  await done(page);
});

/** Each view, what it asks for, and something that it shows then. */
const PLACES = [
  ['contexts', '**/v1/contexts?*', '.context-row'],
  [`context/${made.tools}`, '**/v1/contexts/*', 'article'],
  [`tree/${made.fork}`, '**/v1/contexts/*/tree', '.tree-rows li'],
  [`compare/${made.tools}/${made.fork}`, '**/comparison?*', '.sides article'],
  [`files/${made.filesOne}`, '**/fs*', '.file-name'],
  ['search?words=another', '**/v1/search?*', '.snippet'],
  ['storage', '**/v1/metrics', '.card'],
  [`blob/${made.blob}`, '**/v1/blobs/*', 'pre'],
];

/** A refusal of the service. */
const refusal = (status, message) => ({ status, contentType: 'application/json', body: JSON.stringify({ error: { code: status, message } }) });

await journey('states: each view while the service is slow, busy, gone, and when it answers with damage or half an answer', async () => {
  for (const [place, asked, shown] of PLACES) {
    const page = await open('#/nowhere');
    const to = async (answer, name) => {
      await page.goto(`${url}/#/nowhere`);
      await page.locator('[data-state=missing]').waitFor();
      await page.route(asked, answer);
      await page.goto(`${url}/#/${place}`);
      await page.locator(`#view [data-state=${name}]`).first().waitFor({ timeout: 10_000 }).catch((e) => { throw new Error(`${place}, ${name}: ${e}`); });
    };
    const well = async (name) => {
      await page.unroute(asked);
      await page.locator(`#view ${shown}`).first().waitFor({ timeout: 10_000 }).catch((e) => { throw new Error(`${place} after ${name}: ${e}`); });
    };
    await to((route) => route.fulfill(refusal(503, 'too many requests at once')), 'busy');
    await well('busy');
    await to((route) => route.abort('connectionrefused'), 'gone');
    await well('gone');
    if (!place.startsWith('blob/')) { // half of JSON is no JSON, half of a blob is bytes
      await to((route) => route.fulfill({ status: 200, contentType: 'application/json', body: '{"contexts":[{"con' }), 'gone');
      await well('half an answer');
    }
    await to((route) => route.fulfill(refusal(500, 'blobs.pack: checksum')), 'damaged');
    await page.unroute(asked);
    await to((route) => route.fulfill(refusal(404, 'blob: not found')), 'missing');
    await page.unroute(asked);
    await to((route) => route.fulfill(refusal(401, 'a token is needed')), 'unauthorised');
    await page.unroute(asked);
    await page.fill('#token', 'any');
    await page.keyboard.press('Enter');
    await page.locator(`#view ${shown}`).first().waitFor({ timeout: 10_000 }).catch((e) => { throw new Error(`${place} after unauthorised: ${e}`); });
    await done(page);
  }
});

await journey('states: each view says that it is read, then that this takes long, and shows what comes', async () => {
  let release = () => {};
  const held = new Promise((resolve) => { release = resolve; });
  const pages = await Promise.all(PLACES.map(async ([place, asked, shown]) => {
    const page = await open('#/nowhere');
    await page.route(asked, async (route) => { await held; await route.continue().catch(() => {}); });
    await page.goto(`${url}/#/${place}`);
    for (const name of ['loading', 'slow']) await page.locator(`#view [data-state=${name}]`).first().waitFor({ timeout: 15_000 }).catch((e) => { throw new Error(`${place}, ${name}: ${e}`); });
    return { page, place, shown };
  }));
  release();
  for (const { page, place, shown } of pages) {
    await page.locator(`#view ${shown}`).first().waitFor({ timeout: 10_000 }).catch((e) => { throw new Error(`${place} after slow: ${e}`); });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await done(page);
  }
});

await journey('states: a blob without bytes, one of bytes that are no text, and a name that is none', async () => {
  const to = writer(url);
  const page = await open(`#/blob/${await to.blob(Buffer.alloc(0))}`);
  await page.locator('#view [data-state=empty]', { hasText: 'This blob has no bytes' }).waitFor();
  await page.goto(`${url}/#/blob/${await to.blob(Buffer.from([0, 1, 2, 255]))}`);
  await has(page, '00 01 02 ff');
  assert.equal(await page.locator('pre[aria-label=text]').count(), 0);
  await page.goto(`${url}/#/blob/${await to.blob(Buffer.from('x'.repeat(70_000)))}`);
  await has(page, 'the first ');
  await check(page, 'blob');
  await page.goto(`${url}/#/blob/${'0'.repeat(64)}`);
  await page.locator('#view [data-state=missing]').waitFor();
  await page.goto(`${url}/#/blob/none`);
  await page.locator('#view [data-state=refused]').waitFor();
  await done(page);
});

await journey('states: numbers of the storage that grow old', async () => {
  const page = await open('#/storage');
  await has(page, 'compression saves');
  const old = page.locator('#view [data-state=old]');
  for (const [answer, words] of [[(route) => route.fulfill(refusal(500, 'metrics: damaged')), 'The service answered: metrics: damaged'], [(route) => route.abort('connectionrefused'), 'The service does not answer'], [() => {}, 'The service takes longer than usual']]) {
    await page.route('**/v1/metrics', answer);
    await old.filter({ hasText: words }).waitFor({ timeout: 20_000 });
    await has(page, 'compression saves');
    if (words.includes('damaged')) await check(page, 'storage-old');
    await page.unroute('**/v1/metrics');
    if (words.includes('longer')) continue; // the request that is held is never answered
    await old.waitFor({ state: 'detached', timeout: 10_000 });
  }
  await done(page);
});

await journey('states: what is read later is asked for again when the service is back', async () => {
  const page = await open(`#/context/${made.long}`);
  await turn(page, `message ${LONG - 1}`);
  await page.route('**/turns?*', (route) => route.fulfill({ status: 503, contentType: 'application/json', body: '{"error":{"code":503,"message":"too many requests at once"}}' }));
  await page.fill('#find', 'message 4321');
  await page.press('#find', 'Enter');
  await page.locator('#view [data-state=busy]').waitFor();
  await page.unroute('**/turns?*');
  await page.locator('article.is-marked', { hasText: 'message 4321' }).waitFor({ timeout: 20_000 });
  await page.goto(`${url}/#/nowhere`);
  await page.route('**/turns?*', (route) => route.abort('connectionrefused'));
  await page.goto(`${url}/#/compare/${made.tools}/${made.fork}`);
  await page.locator('.sides [data-state=gone]').first().waitFor();
  await page.unroute('**/turns?*');
  await turn(page, 'another way');
  assert.equal(await page.locator('.sides [data-state=gone]').count(), 0);
  await page.goto(`${url}/#/contexts`);
  await page.route('**/v1/contexts?*after*', (route) => route.abort('connectionrefused'));
  await page.reload();
  await page.locator('#view [data-state=gone]').waitFor();
  await page.locator('.context-row').first().waitFor();
  await page.unroute('**/v1/contexts?*after*');
  await page.locator('#view [data-state=gone]').waitFor({ state: 'detached' });
  await page.fill('#filter', 'long conversation');
  await page.locator('.context-row', { hasText: 'A long conversation' }).waitFor();
  await done(page);
});

await journey('a service that is restarted under an open page', async () => {
  const others = await Promise.all(PLACES.map(async ([place, , shown]) => {
    const page = await open(`#/${place}`);
    await page.locator(`#view ${shown}`).first().waitFor({ timeout: 10_000 });
    await page.locator('[data-live=yes]').waitFor();
    return { page, place, shown };
  }));
  const page = await open(`#/context/${made.tools}`);
  await turn(page, 'Done.');
  await page.locator('[data-live=yes]').waitFor();
  await service.stop('SIGKILL');
  await page.locator('[data-state=gone]').waitFor({ timeout: 10_000 });
  await turn(page, 'Done.');
  await page.screenshot({ path: path.join(pictures, 'gone.png') });
  for (const { page: other, place, shown } of others) {
    await other.locator('.notice [data-state=gone]').waitFor({ timeout: 10_000 });
    assert.ok(await other.locator(`#view ${shown}`).count() > 0, `${place} keeps what it shows while the service is away`);
  }
  service = await serveStore('store', new URL(url).host);
  await page.locator('[data-state=restarted]').waitFor({ timeout: 15_000 });
  await page.locator('[data-live=yes]').waitFor({ timeout: 15_000 });
  await writer(url).append(made.tools, { role: 'assistant', text: 'after the restart' });
  await page.locator('article', { hasText: 'after the restart' }).waitFor({ timeout: 10_000 });
  await done(page);
  for (const { page: other, place, shown } of others) {
    await other.locator('[data-live=yes]').waitFor({ timeout: 15_000 });
    await other.locator('.notice [data-state=gone]').waitFor({ state: 'detached' });
    assert.ok(await other.locator(`#view ${shown}`).count() > 0, `${place} after the restart`);
    await done(other);
  }
});
await service.stop();

await journey('a service with tokens', async () => {
  const tokens = path.join(folder, 'tokens');
  const token = spawnSync('/bin/sh', ['-c', `${command} token create reader --scopes read --token-file "$0"`, tokens], { encoding: 'utf8' }).stdout.trim();
  const guarded = await serveStore('guarded', '127.0.0.1:0', '--token-file', tokens);
  const page = await (await browser.newContext()).newPage();
  await page.goto(guarded.http);
  await page.locator('[data-state=unauthorised] form').waitFor();
  await page.screenshot({ path: path.join(pictures, 'unauthorised.png') });
  await page.fill('#token', token);
  await page.keyboard.press('Enter');
  await page.locator('[data-state=empty]').waitFor();
  await page.locator('[data-live=yes]').waitFor();
  await page.reload();
  await page.locator('[data-state=empty]').waitFor();
  await page.context().close();
  await guarded.stop();
});

await journey('varve ui: the link opens the page once; beside a service its address is printed', async () => {
  const ui = await start(command, path.join(folder, 'ui'), 'ui', '--no-open');
  assert.match(ui.link, /^http:\/\/127\.0\.0\.1:\d+\/#enter=[\w-]{43}$/);
  assert.equal((await fetch(`${ui.http}/v1/contexts`)).status, 401);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(ui.link);
  await page.locator('[data-state=empty]').waitFor();
  assert.doesNotMatch(page.url(), /enter=/);
  await page.reload();
  await page.locator('[data-state=empty]').waitFor();
  await context.close();
  const late = await (await browser.newContext()).newPage();
  await late.goto(ui.link);
  await late.locator('[data-state=unauthorised]').first().waitFor();
  await late.context().close();
  const again = spawnSync('/bin/sh', ['-c', `${command} ui --no-open --store "$0"`, path.join(folder, 'ui')], { encoding: 'utf8' });
  assert.equal(again.stdout.trim(), `${ui.http}/`);
  assert.equal(again.status, 0);
  await ui.stop();
  assert.ok(!fs.existsSync(path.join(folder, 'ui', 'service.http')));
});

await finish('workbench');
