// SPDX-License-Identifier: Apache-2.0
//
// Usage: node check.mjs URL CHROMIUM
//
// Asks a running service as programs do that share no code with this project: the official MCP client, a validator of
// OpenAPI documents, and a browser.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Validator } from '@seriousme/openapi-schema-validator';
import { chromium } from 'playwright-core';

const [url, browserPath] = process.argv.slice(2);

async function documentIsValid() {
  const document = await (await fetch(url + '/openapi.json')).json();
  const result = await new Validator().validate(document);
  assert.equal(result.valid, true, JSON.stringify(result.errors, null, 1));
  console.log(`openapi ${document.openapi}: valid, ${Object.keys(document.paths).length} paths`);
}

async function agentRemembers() {
  const client = new Client({ name: 'check', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url + '/mcp')));
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map((tool) => tool.name).sort(),
    [
      'cxdb_append_message',
      'cxdb_append_turn',
      'cxdb_create_context',
      'cxdb_get_context',
      'cxdb_get_provenance',
      'cxdb_get_turns',
      'cxdb_list_contexts',
      'cxdb_search',
    ],
  );
  const call = async (name, args) => {
    const result = await client.callTool({ name, arguments: args });
    assert.equal(result.isError ?? false, false, JSON.stringify(result));
    return result.structuredContent;
  };
  const { context_id } = await call('cxdb_create_context', {});
  await call('cxdb_append_message', { context_id, role: 'user', text: 'remember the milk' });
  await call('cxdb_append_turn', { context_id, type_id: 'note', type_version: 1, data: { text: 'ok' } });
  const page = await call('cxdb_get_turns', { context_id, view: 'raw' });
  assert.equal(page.turns.length, 2);
  assert.match(Buffer.from(page.turns[0].bytes_b64, 'base64').toString('latin1'), /remember the milk/);
  assert.equal((await call('cxdb_get_context', { context_id })).head_turn_id, page.turns[1].turn_id);
  assert.equal((await call('cxdb_list_contexts', {})).count, 1);
  assert.equal((await call('cxdb_search', { q: `id = ${context_id}` })).total_count, 1);
  await call('cxdb_get_provenance', { context_id });
  const missing = await client.callTool({ name: 'cxdb_get_turns', arguments: { context_id: '999' } });
  assert.equal(missing.isError, true);
  await assert.rejects(client.callTool({ name: 'nothing', arguments: {} }));
  await client.close();
  console.log(`mcp: ${tools.length} tools, a conversation written and read`);
}

async function pageIsSeen() {
  const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    const complaints = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    const response = await page.goto(url + '/');
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
await agentRemembers();
await pageIsSeen();
