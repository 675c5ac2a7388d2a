// SPDX-License-Identifier: Apache-2.0
//
// Usage: node routes.mjs URL docs/http-api.md
//
// Reads the routes that the page of the HTTP API tells of, holds them against the API document of a running service, and
// asks for each of them at least once, as somebody would who has read the page. The service's store must be empty.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { blake3 } from '@noble/hashes/blake3';

const [url, page] = process.argv.slice(2);

/// What stands in backticks on the page: `GET /path`, and `/path` behind one. A path of one segment that follows another
/// one stands for its last segment: `/v1/x/append`, `/turns`.
function routesOfPage() {
  const routes = new Set();
  for (const line of fs.readFileSync(page, 'utf8').split('\n')) {
    let method = null;
    let last = '';
    for (const [, code] of line.matchAll(/`([^`]+)`/g)) {
      const [, said, path] = code.match(/^(?:(GET|HEAD|PUT|POST|DELETE) )?(\/[^\s?]*)/) ?? [];
      if (path === undefined || (said === undefined && method === null)) {
        method = null;
        continue;
      }
      method = said ?? method;
      const known = said !== undefined || path.lastIndexOf('/') > 0;
      last = known ? path : last.slice(0, last.lastIndexOf('/')) + path;
      routes.add(`${method} ${last.replaceAll(/\{[a-z_]+\}/g, '{}')}`);
    }
  }
  return routes;
}

function routesOfDocument(document) {
  const routes = new Map();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (['get', 'head', 'put', 'post', 'delete'].includes(method)) {
        routes.set(`${method.toUpperCase()} ${path.replaceAll(/\{[a-z_]+\}/g, '{}')}`, operation);
      }
    }
  }
  return routes;
}

const document = await (await fetch(`${url}/openapi.json`)).json();
const documented = routesOfDocument(document);
const told = routesOfPage();
for (const route of told) {
  if (!route.startsWith('HEAD ')) assert.ok(documented.has(route), `the page tells of ${route}, the document does not`);
}
for (const route of documented.keys()) {
  assert.ok(told.has(route), `the document tells of ${route}, the page does not`);
}

const called = new Set();

/// Asks, and demands the status, and that the API document tells of it.
async function ask(route, status, { path = route.split(' ')[1], query = '', headers = {}, ...more } = {}) {
  const method = route.split(' ')[0];
  called.add(route.replaceAll(/\{[a-z_]+\}/g, '{}'));
  const response = await fetch(url + path + query, { method, headers, ...more });
  const text = Buffer.from(await response.arrayBuffer());
  assert.equal(response.status, status, `${method} ${path}${query}: ${text.subarray(0, 500)}`);
  const operation = documented.get(`${method === 'HEAD' ? 'GET' : method} ${route.split(' ')[1].replaceAll(/\{[a-z_]+\}/g, '{}')}`);
  assert.ok(
    operation.responses[status] ?? operation.responses.default,
    `${route}: the document does not tell of ${status}`);
  return { response, bytes: text, json: () => JSON.parse(text) };
}

const json = (body) => ({ body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
const hash = (bytes) => Buffer.from(blake3(bytes)).toString('hex');

// ---- the service
assert.match((await ask('GET /', 200)).bytes.toString(), /<html/i);
assert.match((await ask('GET /api', 200)).bytes.toString(), /<html/i);
await ask('POST /ui/session', 401, json({ code: 'none' }));
await ask('GET /ui/{path}', 200, { path: '/ui/main.js' });
await ask('GET /openapi.json', 200);
assert.equal((await ask('GET /healthz', 200)).bytes.toString().trim(), 'ok');
assert.equal((await ask('GET /health', 200)).json().status, 'ok');

// ---- types, before all else: they take no numbers
const bundle = JSON.stringify({
  registry_version: 1,
  bundle_id: 'routes',
  types: { 'routes.Note': { versions: { 1: {
    fields: { 1: { name: 'text', type: 'string' } }, renderer: { esm_url: 'builtin:Note' } } } } },
});
const bundles = { path: '/v1/registry/bundles/routes' };
await ask('PUT /v1/registry/bundles/{id}', 201, { ...bundles, body: bundle });
await ask('PUT /v1/registry/bundles/{id}', 204, { ...bundles, body: bundle });
await ask('PUT /v1/registry/bundles/{id}', 409, { ...bundles, body: bundle.replace('string', 'u64') });
await ask('PUT /v1/registry/bundles/{id}', 422, { ...bundles, body: '{' });
const read = await ask('GET /v1/registry/bundles/{id}', 200, bundles);
assert.equal(read.bytes.toString(), bundle);
assert.equal(read.response.headers.get('etag'), `"${hash(Buffer.from(bundle))}"`);
await ask('GET /v1/registry/bundles/{id}', 304, { ...bundles, headers: { 'if-none-match': read.response.headers.get('etag') } });
assert.deepEqual((await ask('GET /v1/registry/types', 200)).json().types,
  [{ type_id: 'routes.Note', latest_version: 1, bundle_id: 'routes' }]);
await ask('GET /v1/registry/types/{type_id}/versions/{version}', 200, { path: '/v1/registry/types/routes.Note/versions/1' });
await ask('GET /v1/registry/types/{type_id}/versions/{version}', 404, { path: '/v1/registry/types/routes.Note/versions/2' });
assert.ok((await ask('GET /v1/registry/renderers', 200)).json().renderers['routes.Note']);

// ---- events: told from now on
const stream = await fetch(`${url}/v1/events`);
assert.equal(stream.status, 200);
called.add('GET /v1/events');
const heard = stream.body.getReader();
let events = '';
async function hear(name) {
  while (!events.includes(`event: ${name}`)) {
    const { value, done } = await heard.read();
    assert.ok(!done, `the stream ended before ${name}`);
    events += Buffer.from(value).toString();
  }
}
await hear('connected');

// ---- writing
const made = (await ask('POST /v1/contexts', 201, json({}))).json();
assert.equal(made.context_id, '1');
await hear('context_created');
const at = '/v1/contexts/1';
const first = (await ask('POST /v1/contexts/{id}/append', 201, {
  path: `${at}/append`, ...json({ type_id: 'routes.Note', type_version: 1, data: { text: 'one' }, idempotency_key: 'k' }) })).json();
assert.equal(first.turn_id, '1');
await hear('turn_appended');
await heard.cancel();
await ask('POST /v1/contexts/{id}/append', 201, {
  path: `${at}/append`, ...json({ type_id: 'routes.Note', type_version: 1, data: { text: 'one' }, idempotency_key: 'k' }) });
await ask('POST /v1/contexts/{id}/append', 409, {
  path: `${at}/append`, ...json({ type_id: 'routes.Note', type_version: 1, data: { text: 'two' }, idempotency_key: 'k' }) });
await ask('POST /v1/contexts/{id}/turns', 201, {
  path: `${at}/turns`, ...json({ type_id: 'routes.Note', type_version: 1, payload: { text: 'two' } }) });
const batch = (await ask('POST /v1/contexts/{id}/append-batch', 201, {
  path: `${at}/append-batch`,
  ...json({ turns: [3, 4].map((n) => ({ type_id: 'routes.Note', type_version: 1, data: { text: `${n}` } })) }) })).json();
assert.equal(batch.turns.length, 2);
const fork = (await ask('POST /v1/contexts/fork', 201, json({ base_turn_id: '2' }))).json();
assert.equal(fork.context_id, '2');
await ask('POST /v1/contexts/fork', 409, json({ base_turn_id: '99' }));
await ask('POST /v1/contexts/create', 201, json({ base_turn_id: '2' }));

// ---- reading
const list = (await ask('GET /v1/contexts', 200, { query: '?limit=2&include_provenance=1&include_lineage=1' })).json();
assert.deepEqual(list.contexts.map((context) => context.context_id), ['3', '2']);
assert.equal((await ask('GET /v1/contexts', 200, { query: '?after=2' })).json().contexts[0].context_id, '1');
const one = (await ask('GET /v1/contexts/{id}', 200, { path: at })).json();
assert.deepEqual([one.context_id, one.head_depth, one.lineage.child_context_ids], ['1', 3, ['2', '3']]);
await ask('GET /v1/contexts/{id}', 404, { path: '/v1/contexts/9' });
assert.equal((await ask('GET /v1/contexts/search', 200, { query: '?q=depth+%3D+3' })).json().total_count, 1);
await ask('GET /v1/contexts/search', 400, { query: '?q=depth+%3D' });
await ask('GET /v1/contexts/{id}/provenance', 200, { path: `${at}/provenance` });
await ask('GET /v1/contexts/{id}/tree', 200, { path: `${at}/tree` });
await ask('GET /v1/contexts/{id}/comparison', 200, { path: `${at}/comparison`, query: `?with=${at.split('/').at(-1)}` });
assert.equal((await ask('GET /v1/contexts/sizes', 200, { query: '?ids=1' })).json().sizes[0].context_id, '1');
assert.equal((await ask('GET /v1/contexts/{id}/children', 200, { path: `${at}/children`, query: '?recursive=1' })).json().count, 2);
const turns = (await ask('GET /v1/contexts/{id}/turns', 200, { path: `${at}/turns`, query: '?limit=3&view=both' })).json();
assert.deepEqual(turns.turns.map((turn) => turn.data.text), ['two', '3', '4']);
const older = (await ask('GET /v1/contexts/{id}/turns', 200, {
  path: `${at}/turns`, query: `?before_turn_id=${turns.next_before_turn_id}` })).json();
assert.deepEqual(older.turns.map((turn) => turn.data.text), ['one']);
await ask('GET /v1/contexts/{id}/turns', 422, { path: `${at}/turns`, query: '?limit=x' });
const own = await fetch(`${url}${at}/events`);
assert.equal(own.status, 200);
called.add('GET /v1/contexts/{}/events');
await own.body.cancel();

// ---- the search for turns
const found = (await ask('GET /v1/search', 200, { query: '?q=two' })).json();
assert.match(JSON.stringify(found), /"snippet":/);
await ask('GET /v1/search', 422, { query: '?q=%22open' });
for (const question of ['recall', 'fix', 'how']) {
  await ask(`GET /v1/search/${question}`, 200, { path: `/v1/search/${question}`, query: '?q=two' });
}

// ---- blobs
const bytes = Buffer.from('hello, blob');
const blob = { path: `/v1/blobs/${hash(bytes)}` };
await ask('GET /v1/blobs/{hash}', 404, blob);
assert.deepEqual((await ask('POST /v1/blobs/missing', 200, json({ hashes: [hash(bytes)] }))).json(), { missing: [hash(bytes)] });
await ask('PUT /v1/blobs/{hash}', 201, { ...blob, body: bytes });
await ask('PUT /v1/blobs/{hash}', 200, { ...blob, body: bytes });
await ask('PUT /v1/blobs/{hash}', 422, { ...blob, body: 'other' });
const got = await ask('GET /v1/blobs/{hash}', 200, blob);
assert.deepEqual(got.bytes, bytes);
await ask('GET /v1/blobs/{hash}', 304, { ...blob, headers: { 'if-none-match': got.response.headers.get('etag') } });
assert.equal((await ask('GET /v1/blobs/{hash}', 206, { ...blob, headers: { range: 'bytes=7-10' } })).bytes.toString(), 'blob');
assert.equal((await ask('HEAD /v1/blobs/{hash}', 200, blob)).response.headers.get('content-length'), '11');

// ---- files: a tree of one file, as msgpack
const name = Buffer.from('a.txt');
const tree = Buffer.concat([
  Buffer.from([0x91, 0x85, 1, 0xa0 + name.length]), name,
  Buffer.from([2, 0, 3, 0xcd, 0x01, 0xa4, 4, bytes.length, 5, 0xc4, 32]), Buffer.from(hash(bytes), 'hex')]);
await ask('PUT /v1/blobs/{hash}', 201, { path: `/v1/blobs/${hash(tree)}`, body: tree });
const wrote = (await ask('POST /v1/contexts/{id}/append', 201, {
  path: `${at}/append`,
  ...json({ type_id: 'routes.Note', type_version: 1, data: { text: 'wrote' }, fs_root_hash: hash(tree) }) })).json();
const files = `/v1/turns/${wrote.turn_id}/fs`;
assert.equal((await ask('GET /v1/turns/{id}/fs', 200, { path: files })).json().entries[0].name, 'a.txt');
const file = await ask('GET /v1/turns/{id}/fs/{path}', 200, { path: `${files}/a.txt` });
assert.deepEqual(file.bytes, bytes);
assert.equal(file.response.headers.get('x-fs-hash'), hash(bytes));
await ask('GET /v1/turns/{id}/fs/{path}', 404, { path: `${files}/b.txt` });

await ask('POST /v1/turns/{id}/restore-plan', 404, { path: `/v1/turns/${wrote.turn_id}/restore-plan` });
await ask('POST /v1/turns/{id}/restore', 403, { path: `/v1/turns/${wrote.turn_id}/restore`, ...json({ plan_digest: hash(bytes) }) });

// ---- a turn's tombstone
const deleted = (await ask('DELETE /v1/turns/{id}', 200, { path: `/v1/turns/${wrote.turn_id}` })).json();
assert.deepEqual([deleted.turn_id, deleted.tombstone], [wrote.turn_id, true]);
await ask('DELETE /v1/turns/{id}', 404, { path: '/v1/turns/99' });

// ---- holds, and an erasure that a hold stops
const hold = { path: `${at}/hold` };
const held = (await ask('PUT /v1/contexts/{id}/hold', 200, { ...hold, ...json({ reason: 'an audit' }) })).json();
assert.deepEqual([held.holds[0].context_id, held.holds[0].reason], ['1', 'an audit']);
await ask('PUT /v1/contexts/{id}/hold', 422, { ...hold, ...json({ reason: 5 }) });
await ask('PUT /v1/contexts/{id}/hold', 404, { path: '/v1/contexts/9/hold', ...json({}) });
assert.equal((await ask('GET /v1/holds', 200)).json().holds.length, 1);
const choice = { blobs: [hash(bytes)] };
await ask('POST /v1/erasures/plan', 409, json(choice));
assert.equal((await ask('DELETE /v1/contexts/{id}/hold', 200, hold)).json().holds[0].context_id, '1');
assert.deepEqual((await ask('GET /v1/holds', 200)).json(), { holds: [] });
const plan = (await ask('POST /v1/erasures/plan', 200, json(choice))).json();
assert.deepEqual(plan.going.map((going) => going.hash), [hash(bytes)]);
assert.deepEqual((await ask('GET /v1/blobs/{hash}', 200, blob)).bytes, bytes);
await ask('POST /v1/erasures', 422, json(choice));
await ask('POST /v1/erasures', 409, json({ ...choice, plan_digest: hash(tree) }));
const receipt = (await ask('POST /v1/erasures', 200, json({ ...choice, plan_digest: plan.plan_digest }))).json();
assert.equal(receipt.plan.plan_digest, plan.plan_digest);
await ask('GET /v1/blobs/{hash}', 404, blob);

// ---- for agents, and what was counted
const rpc = await ask('POST /mcp', 200, {
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' } });
assert.match(rpc.bytes.toString(), /cxdb_append_turn/);
assert.match((await ask('GET /metrics', 200)).bytes.toString(), /varve_requests_total\{[^}]*operation="appendTurn"/);
await ask('GET /v1/metrics', 200);
assert.equal((await ask('GET /v1/stats', 200)).json().contexts, 3);

// ---- what reads the whole store
const surveys = async () => (await ask('GET /v1/surveys', 200)).json();
assert.equal((await surveys()).space.last, undefined);
for (const name of ['space', 'garbage', 'check']) {
  await ask('POST /v1/surveys/{name}', 202, { path: `/v1/surveys/${name}` });
  while ((await surveys())[name].running) await new Promise((resolve) => setTimeout(resolve, 20));
}
const surveyed = await surveys();
assert.equal(surveyed.space.last.all.contexts, 3);
assert.equal(surveyed.garbage.last.turns, 1);
assert.equal(surveyed.check.last.sound, true);
await ask('POST /v1/surveys/{name}', 404, { path: '/v1/surveys/other' });
assert.ok((await ask('GET /v1/errors', 200, { query: '?limit=5' })).json().errors.length > 0);

for (const route of told) assert.ok(called.has(route), `the page tells of ${route}; nobody has asked for it`);
console.log(`routes: ${told.size} on the page, each asked for; ${documented.size} in the API document`);
