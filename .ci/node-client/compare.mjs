// SPDX-License-Identifier: Apache-2.0
//
// Usage: node compare.mjs THEIR_PORT THEIR_HTTP_PORT OUR_PORT OUR_HTTP_PORT docs/cxdb-compatibility.md
//
// Sends the same requests, right and wrong ones, to a cxdb server and to `varve serve`, both just started on empty stores, and
// compares what comes back byte for byte (HTTP: member by member; what only Varve has is no difference). Every difference must be
// one that docs/cxdb-compatibility.md tells of, and each of those must show.
import fs from 'node:fs';
import { blake3 } from '@noble/hashes/blake3';
import { encode } from '@msgpack/msgpack';
import { Client, WireError, u32, u64 } from './client.mjs';

const [theirPort, theirHttp, ourPort, ourHttp] = process.argv.slice(2, 6).map(Number);
const page = fs.readFileSync(process.argv[6], 'utf8');
const hash = (bytes) => Buffer.from(blake3(bytes));
const text = (said) => Buffer.concat([u32(said.length), Buffer.from(said)]);
const PATIENCE_MS = 2000;

/// What a request gets: bytes as hex, ERROR and its code, or the end of the connection.
class Side {
  constructor(port, http) {
    Object.assign(this, { port, http, client: null });
  }

  async wire(type, payload, flags) {
    this.client ??= await Client.connect(this.port);
    const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, 'no answer').unref());
    const answer = this.client.call(type, payload, flags).then(
      (bytes) => bytes.toString('hex'),
      (e) => (e instanceof WireError ? `ERROR ${e.code}` : 'closed'));
    const got = await Promise.race([answer, late]);
    if (got === 'closed' || got === 'no answer') {
      this.client.end();
      this.client = null;
    }
    return got;
  }

  async ask(method, path, body) {
    const response = await fetch(`http://127.0.0.1:${this.http}${path}`, { method, body });
    const bytes = Buffer.from(await response.arrayBuffer());
    let json = null;
    try {
      json = JSON.parse(bytes);
    } catch {
      // text, then
    }
    return { status: response.status, json, text: bytes.toString() };
  }
}

const theirs = new Side(theirPort, theirHttp);
const ours = new Side(ourPort, ourHttp);
let same = 0;
const found = new Map();

async function wire(name, type, payload, flags = 0) {
  const [a, b] = [await theirs.wire(type, payload, flags), await ours.wire(type, payload, flags)];
  if (a === b) same++;
  else found.set(name, `${a.slice(0, 160)} | ${b.slice(0, 160)}`);
}

/// Where `b` lacks something that `a` has, or has it otherwise; times and what is told of the machine left out.
function differences(a, b, at = '') {
  if (/_at_unix_ms|_at$|elapsed_ms|message|peer_addr|client_address|session_id|client_port/.test(at)) return [];
  if (a === null || typeof a !== 'object') return a === b ? [] : [`${at}: ${JSON.stringify(a)} | ${JSON.stringify(b)}`];
  if (b === null || typeof b !== 'object') return [`${at}: ${JSON.stringify(a)} | ${b}`];
  return Object.keys(a).flatMap((key) => differences(a[key], b[key], `${at}/${key}`));
}

async function http(name, method, path, body) {
  const [a, b] = [await theirs.ask(method, path, body), await ours.ask(method, path, body)];
  const differ = a.status !== b.status ? [`status ${a.status} | ${b.status}`] : a.json ? differences(a.json, b.json) : [];
  if (differ.length === 0) same++;
  else found.set(name, differ.join('; '));
}

const append = (context, payload, { parent = 0n, type = 'cmp.Note', size = payload.length, of = hash(payload), key = '', root = Buffer.alloc(0), compression = 0 } = {}) =>
  Buffer.concat([u64(context), u64(parent), text(type), u32(1), u32(1), u32(compression), u32(size), of, u32(payload.length), payload, text(key), root]);
const note = (said) => Buffer.from(encode({ 1: 'user', 2: said }));
const last = (context, limit, payloads) => Buffer.concat([u64(context), u32(limit), u32(payloads)]);
const bundle = (type) => JSON.stringify({
  registry_version: 1, bundle_id: 'cmp', types: { 'cmp.Note': { versions: { 1: { fields: {
    1: { name: 'role', type: 'string' }, 2: { name: 'text', type } } } } } } });

// ---- types first: they take no numbers of turns and contexts
await http('a bundle', 'PUT', '/v1/registry/bundles/cmp', bundle('string'));
await http('the bundle again', 'PUT', '/v1/registry/bundles/cmp', bundle('string'));
await http('a bundle that contradicts', 'PUT', '/v1/registry/bundles/cmp', bundle('u64'));
await http('no bundle', 'PUT', '/v1/registry/bundles/x', '{');
await http('read the bundle', 'GET', '/v1/registry/bundles/cmp');
await http('a bundle that is not there', 'GET', '/v1/registry/bundles/none');
await http('a descriptor', 'GET', '/v1/registry/types/cmp.Note/versions/1');
await http('a descriptor that is not there', 'GET', '/v1/registry/types/cmp.Note/versions/2');
await http('renderers', 'GET', '/v1/registry/renderers');

// ---- the binary protocol
await wire('an empty context', 2, u64(0n));
await wire('its head', 4, u64(1n));
await wire('its turns', 6, last(1n, 10, 1));
for (let i = 0; i < 4; i++) await wire(`append ${i}`, 5, append(1n, note(`turn ${i}`)));
await wire('append the same again', 5, append(1n, note('turn 3')));
await wire('append at an older turn', 5, append(1n, note('rewound'), { parent: 2n }));
await wire('a fork', 3, u64(3n));
await wire('append to the fork', 5, append(2n, note('forked')));
await wire('a context at a turn', 2, u64(4n));
await wire('heads', 4, u64(2n));
await wire('a head that is not there', 4, u64(99n));
await wire('a fork of nothing', 3, u64(99n));
for (const limit of [0, 1, 3, 100]) await wire(`the last ${limit}`, 6, last(2n, limit, 1));
await wire('the last 3 without payloads', 6, last(2n, 3, 0));
await wire('turns of a context that is not there', 6, last(99n, 3, 1));
await wire('turns before', 7, Buffer.concat([u64(1n), u64(2n), u32(2), u32(1)]));
await wire('turns by depth', 8, Buffer.concat([u64(1n), u32(0), u32(2), u32(1)]));
await wire('append to a context that is not there', 5, append(77n, note('lost')));
await wire('with a parent that is not there', 5, append(1n, note('lost'), { parent: 99n }));
await wire('with a wrong hash', 5, append(1n, note('wrong'), { of: hash(note('other')) }));
await wire('with a wrong length', 5, append(1n, note('wrong'), { size: 3 }));
await wire('compressed in a way that nobody knows', 5, append(1n, note('wrong'), { compression: 9 }));
await wire('that is cut off', 5, append(1n, note('cut')).subarray(0, 60));
await wire('under a key', 5, append(1n, note('keyed'), { key: 'k' }));
await wire('under the key again', 5, append(1n, note('keyed'), { key: 'k' }));
const bytes = Buffer.from('hello blob');
await wire('put a blob', 11, Buffer.concat([hash(bytes), u32(bytes.length), bytes]));
await wire('put it again', 11, Buffer.concat([hash(bytes), u32(bytes.length), bytes]));
await wire('put it with another hash', 11, Buffer.concat([hash(note('x')), u32(bytes.length), bytes]));
await wire('get it', 9, hash(bytes));
await wire('get one that is not there', 9, hash(note('nowhere')));
const tree = Buffer.from(encode([{ 1: 'a.txt', 2: 0, 3: 0o644, 4: bytes.length, 5: hash(bytes) }]));
await wire('put a tree', 11, Buffer.concat([hash(tree), u32(tree.length), tree]));
await wire('attach it', 10, Buffer.concat([u64(1n), hash(tree)]));
await wire('attach it to nothing', 10, Buffer.concat([u64(99n), hash(tree)]));
await wire('attach what is not there', 10, Buffer.concat([u64(1n), hash(note('nowhere'))]));
await wire('a message that nobody knows', 42, Buffer.alloc(8));

// ---- HTTP; context 2 holds the same in both
const at = '/v1/contexts/2';
await http('a context\'s turns', 'GET', `${at}/turns?limit=10`);
await http('raw', 'GET', `${at}/turns?limit=2&view=raw`);
await http('both, numbers', 'GET', `${at}/turns?limit=2&view=both&u64_format=number&include_unknown=1`);
await http('without unknown', 'GET', `${at}/turns?limit=2&include_unknown=0&bytes_render=hex`);
await http('before a turn', 'GET', `${at}/turns?limit=2&before_turn_id=3`);
await http('turns of nothing', 'GET', '/v1/contexts/99/turns');
await http('a view that nobody knows', 'GET', `${at}/turns?view=x`);
await http('who wrote it', 'GET', `${at}/provenance`);
await http('a search', 'GET', '/v1/contexts/search?q=id+%3D+2');
await http('a search that is wrong', 'GET', '/v1/contexts/search?q=id+%3D');
await http('a search for nothing', 'GET', '/v1/contexts/search');
await http('files', 'GET', '/v1/turns/1/fs');
await http('a file', 'GET', '/v1/turns/1/fs/a.txt');
await http('a file as JSON', 'GET', '/v1/turns/1/fs/a.txt?format=json');
await http('a file that is not there', 'GET', '/v1/turns/1/fs/b.txt');
await http('health', 'GET', '/healthz');
await http('a path that nobody knows', 'GET', '/v1/nothing');

// ---- what the page tells of: a row's first cell, and the requests in which it shows
const EXPECTED = {
  'a request that fails': [
    'a head that is not there', 'a fork of nothing', 'turns of a context that is not there', 'with a parent that is not there',
    'with a wrong hash', 'with a wrong length', 'compressed in a way that nobody knows', 'that is cut off',
    'put it with another hash', 'get one that is not there', 'attach it to nothing', 'attach what is not there'],
  'behind the turns of GET_LAST': ['its turns', 'the last 0', 'the last 1', 'the last 3', 'the last 100'],
  'GET_LAST without payloads': ['the last 3 without payloads'],
  'GET_BEFORE, GET_RANGE_BY_DEPTH': ['turns before', 'turns by depth'],
  'append to a context that does not exist, without a parent': ['append to a context that is not there'],
  'idempotency key': ['under the key again'],
  'a bundle of types that contradicts another': ['a bundle that contradicts'],
  'a parameter over HTTP that cannot be read': ['a view that nobody knows'],
  '`u64_format=number`': ['both, numbers'],
  'a search': ['a search'],
};

const explained = new Set(Object.values(EXPECTED).flat());
let faults = 0;
const fault = (what) => {
  console.error(what);
  faults++;
};
for (const [name, what] of found) {
  if (!explained.has(name)) fault(`not explained: ${name}: ${what}`);
}
for (const [row, names] of Object.entries(EXPECTED)) {
  if (!page.includes(`| ${row} |`)) fault(`the page has no row '${row}'`);
  for (const name of names) if (!found.has(name)) fault(`no difference any more: ${name} (${row})`);
}
console.log(`${same} requests answered the same, ${found.size} as the page explains`);
process.exit(faults === 0 ? 0 : 1);
