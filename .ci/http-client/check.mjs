// SPDX-License-Identifier: Apache-2.0
//
// Usage: node check.mjs URL CHROMIUM VARVE STORE
//
// Asks a running service as programs do that share no code with this project: the official MCP client, a validator of
// OpenAPI documents, and a browser. Then asks `VARVE mcp` on another store as an agent does that starts the command.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Validator } from '@seriousme/openapi-schema-validator';
import { chromium } from 'playwright-core';

const [url, browserPath, command, store] = process.argv.slice(2);

async function documentIsValid() {
  const document = await (await fetch(url + '/openapi.json')).json();
  const result = await new Validator().validate(document);
  assert.equal(result.valid, true, JSON.stringify(result.errors, null, 1));
  console.log(`openapi ${document.openapi}: valid, ${Object.keys(document.paths).length} paths`);
}

async function agentRemembers(transport) {
  const client = new Client({ name: 'check', version: '1' });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const names = [
    'append_message',
    'append_turn',
    'create_context',
    'get_context',
    'get_provenance',
    'get_turns',
    'list_contexts',
    'search',
    'search_contexts',
  ];
  assert.deepEqual(
    tools.map((tool) => tool.name).sort(),
    [
      ...['cxdb', 'varve'].flatMap((prefix) => names.map((name) => `${prefix}_${name}`)),
      'varve_fix',
      'varve_how',
      'varve_recall',
      'varve_search_turns',
    ].sort(),
  );
  const call = async (name, args) => {
    const result = await client.callTool({ name, arguments: args });
    assert.equal(result.isError ?? false, false, JSON.stringify(result));
    return JSON.parse(result.content[0].text);
  };
  const { context_id } = await call('cxdb_create_context', {});
  await call('cxdb_append_message', { context_id, role: 'user', text: 'remember the milk' });
  await call('cxdb_append_turn', { context_id, type_id: 'note', type_version: 1, data: { text: 'ok' } });
  const page = await call('cxdb_get_turns', { context_id, view: 'raw' });
  assert.equal(page.turns.length, 2);
  assert.match(Buffer.from(page.turns[0].bytes_b64, 'base64').toString('latin1'), /remember the milk/);
  assert.equal((await call('cxdb_get_context', { context_id })).head_turn_id, page.turns[1].turn_id);
  assert.equal((await call('varve_get_context', { context_id })).head_turn_id, page.turns[1].turn_id);
  assert.equal((await call('cxdb_list_contexts', {})).count, 1);
  assert.equal((await call('cxdb_search', { q: `id = ${context_id}` })).total_count, 1);
  await call('cxdb_get_provenance', { context_id });
  assert.equal((await call('cxdb_search_contexts', { query: `id = ${context_id}` })).total_count, 1);
  const [turn] = (await call('varve_get_turns', { context_id, turn_id: page.turns[0].turn_id })).turns;
  assert.equal(turn.turn_id, page.turns[0].turn_id);
  await call('varve_append_turn', { context_id, type_id: 'raw', type_version: 1, payload_base64: 'gA==' });
  for (const tool of ['varve_fix', 'varve_how', 'varve_recall', 'varve_search_turns']) {
    await call(tool, { q: 'milk' });
  }
  assert.match(JSON.stringify(await call('varve_search_turns', { q: 'milk' })), /remember the milk/);
  const missing = await client.callTool({ name: 'cxdb_get_turns', arguments: { context_id: '999' } });
  assert.equal(missing.isError, true);
  await assert.rejects(client.callTool({ name: 'nothing', arguments: {} }));
  await client.close();
  console.log(`mcp over ${transport.constructor.name}: ${tools.length} tools, a conversation written and read`);
}

async function pageIsSeen() {
  const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    const complaints = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    const response = await page.goto(url + '/api');
    assert.equal(response.status(), 200);
    assert.match(await page.title(), /^Varve/);
    assert.match(await page.textContent('h1'), /^Varve \d/);
    const font = await page.evaluate(() => getComputedStyle(document.body).fontFamily);
    assert.match(font, /sans-serif/, 'the style is let through by the policy');
    await page.click('a[href="openapi.json"]');
    assert.match(await page.textContent('body'), /"openapi":"3\.1/);
    assert.deepEqual(complaints, []);

    // A page of another site may neither read nor write here.
    await page.goto('about:blank');
    const foreign = await page.evaluate(async (target) => {
      try {
        return (await fetch(target + '/v1/contexts')).status;
      } catch (e) {
        return e.name;
      }
    }, url);
    assert.equal(foreign, 'TypeError');
    console.log('browser: the page is shown, its links lead somewhere, other sites are kept out');
  } finally {
    await browser.close();
  }
}

await documentIsValid();
await agentRemembers(new StreamableHTTPClientTransport(new URL(url + '/mcp')));
await agentRemembers(new StdioClientTransport({ command: '/bin/sh', args: ['-c', `${command} --store "$0" mcp`, store] }));
await pageIsSeen();
