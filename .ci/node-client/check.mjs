// SPDX-License-Identifier: Apache-2.0
//
// node check.mjs PORT before JOURNAL   writes conversations, tries what must be refused, and notes what was acknowledged
// node check.mjs PORT after JOURNAL    on a server that was killed and started again: everything acknowledged is there
import assert from 'node:assert/strict';
import fs from 'node:fs';
import net from 'node:net';
import { blake3 } from '@noble/hashes/blake3';
import { encode, decode } from '@msgpack/msgpack';
import * as zstd from '@bokuweb/zstd-wasm';
import { Client, WireError, u32, u64 } from './client.mjs';

const [port, phase, journal] = [Number(process.argv[2]), process.argv[3], process.argv[4]];
const hash = (bytes) => Buffer.from(blake3(bytes));
const message = (role, said) => Buffer.from(encode({ 1: role, 2: said }));
const plain = (payload, more = {}) => ({ payload, hash: hash(payload), ...more });
const refused = (promise, code) =>
  assert.rejects(promise, (e) => e instanceof WireError && e.code === code, `expected ERROR ${code}`);

let checks = 0;
async function check(name, body) {
  try {
    await body();
    checks++;
  } catch (e) {
    console.error(`FAILED: ${name}`);
    throw e;
  }
}

async function before() {
  await zstd.init();
  const client = await Client.connect(port);
  const noted = [];

  await check('HELLO', async () => {
    const hello = await client.hello('node-check');
    assert.equal(hello.version, 1);
    assert.ok(hello.session > 0n);
  });

  const context = (await client.create()).context;
  await check('an empty context', async () => {
    assert.deepEqual(await client.head(context), { context, turn: 0n, depth: 0 });
    assert.deepEqual((await client.last(context, 10, false)).list, []);
  });

  const said = [];
  await check('append plain payloads', async () => {
    for (let i = 0; i < 5; i++) {
      const payload = message('user', `turn ${i}`);
      const answer = await client.append(context, plain(payload));
      assert.equal(answer.depth, i);
      assert.deepEqual(answer.hash, hash(payload));
      said.push({ turn: answer.turn, payload });
      noted.push({ turn: `${answer.turn}`, context: `${context}`, depth: i, hex: payload.toString('hex') });
    }
  });

  await check('append zstd, as the protocol means it and as cxdb\'s libraries do it', async () => {
    const raw = message('tool', 'much the same. '.repeat(2000));
    const packed = Buffer.from(zstd.compress(raw, 3));
    const meant = await client.append(context, {
      payload: packed, compression: 1, size: raw.length, hash: hash(raw) });
    const theirs = await client.append(context, {
      payload: packed, compression: 1, size: packed.length, hash: hash(packed) });
    assert.deepEqual(meant.hash, hash(raw));
    assert.deepEqual(theirs.hash, hash(raw));
    const { list } = await client.last(context, 2, true);
    for (const turn of list) {
      assert.equal(turn.compression, 0);
      assert.equal(turn.size, raw.length);
      assert.ok(turn.payload.equals(raw));
      assert.equal(decode(turn.payload)[2].length, 30000);
    }
    noted.push({ turn: `${meant.turn}`, context: `${context}`, depth: 5, hex: raw.toString('hex') });
  });

  await check('GET_LAST without payloads still tells their length', async () => {
    const { list, next, head } = await client.last(context, 3, false);
    assert.equal(list.length, 3);
    assert.equal(head, list[2].turn);
    assert.equal(next, list[0].turn);
    for (const turn of list) assert.equal(turn.payload.length, 0);
    assert.equal(list[1].compression, 1);
  });

  await check('pages and ranges join to the whole', async () => {
    const all = (await client.last(context, 100, true)).list;
    assert.equal(all.length, 7);
    let page = await client.last(context, 2, true);
    let joined = page.list;
    while (page.next !== 0n) {
      page = await client.before(context, page.next, 2, true);
      joined = [...page.list, ...joined];
    }
    assert.deepEqual(joined, all);
    assert.deepEqual((await client.range(context, 2, 3, true)).list, all.slice(2, 5));
  });

  await check('a fork shares its past and leaves the other one alone', async () => {
    const fork = await client.fork(said[2].turn);
    assert.equal(fork.turn, said[2].turn);
    assert.equal(fork.depth, 2);
    const payload = message('user', 'another way');
    const answer = await client.append(fork.context, plain(payload));
    assert.equal(answer.depth, 3);
    const path = (await client.last(fork.context, 10, true)).list;
    assert.deepEqual(path.slice(0, 3).map((turn) => turn.turn), said.slice(0, 3).map((turn) => turn.turn));
    assert.equal((await client.last(context, 100, false)).list.length, 7);
    noted.push({ turn: `${answer.turn}`, context: `${fork.context}`, depth: 3, hex: payload.toString('hex') });
  });

  await check('an explicit parent rewinds', async () => {
    const fork = await client.fork(said[4].turn);
    const answer = await client.append(fork.context, plain(message('user', 'back'), { parent: said[0].turn }));
    assert.equal(answer.depth, 1);
  });

  await check('blobs', async () => {
    const bytes = Buffer.from('hello blob');
    assert.equal(hash(bytes).toString('hex').slice(0, 8), '0c82c44e');
    const first = await client.put(hash(bytes), bytes);
    const second = await client.put(hash(bytes), bytes);
    assert.deepEqual([first.hash, second.hash], [hash(bytes), hash(bytes)]);
    assert.deepEqual([first.wasNew, second.wasNew], [true, false]);
    assert.deepEqual(await client.blob(hash(bytes)), bytes);
    const megabyte = Buffer.alloc(1 << 20, 'varve');
    await client.put(hash(megabyte), megabyte);
    assert.deepEqual(await client.blob(hash(megabyte)), megabyte);
  });

  await check('file trees', async () => {
    const file = Buffer.from('int main() {}\n');
    const entry = { 1: 'main.c', 2: 0, 3: 0o644, 4: file.length, 5: hash(file) };
    const tree = Buffer.from(encode([entry]));
    await client.put(hash(file), file);
    await refused(client.append(context, plain(message('a', 'b'), { root: hash(tree) })), 404);
    await client.put(hash(tree), tree);
    const answer = await client.append(context, plain(message('tool', 'wrote main.c'), { root: hash(tree) }));
    const attached = await client.attach(said[0].turn, hash(tree));
    assert.deepEqual(attached, Buffer.concat([u64(said[0].turn), hash(tree)]));
    assert.ok(answer.turn > 0n);
  });

  await check('a retry is answered with the first turn, other content under its key is refused', async () => {
    const turn = plain(message('user', 'once'), { key: Buffer.from('idem-1') });
    const first = await client.append(context, turn);
    await client.append(context, plain(message('user', 'later')));
    assert.deepEqual(await client.append(context, turn), first);
    await refused(client.append(context, plain(message('user', 'other'), { key: Buffer.from('idem-1') })), 409);
    noted.push({ turn: `${first.turn}`, context: `${context}`, depth: first.depth, key: 'idem-1',
      hex: turn.payload.toString('hex') });
  });

  await check('what is wrong is refused, and the connection lives', async () => {
    const counted = (await client.last(context, 1000, false)).list.length;
    await refused(client.head(999999n), 404);
    await refused(client.head(0xffffffffffffffffn), 404);
    await refused(client.fork(999999n), 404);
    await refused(client.blob(hash(Buffer.from('nowhere'))), 404);
    await refused(client.append(999999n, plain(message('a', 'b'))), 404);
    await refused(client.append(context, plain(message('a', 'b'), { parent: 999999n })), 404);
    await refused(client.append(context, { payload: message('a', 'b'), hash: Buffer.alloc(32) }), 422);
    await refused(client.append(context, plain(message('a', 'b'), { size: 1 })), 422);
    await refused(client.append(context, plain(message('a', 'b'), { compression: 7 })), 422);
    await refused(client.append(context, plain(Buffer.from('no zstd'), { compression: 1, size: 100 })), 422);
    await refused(client.append(context, plain(message('a', 'b'), { type: 'x'.repeat(513) })), 413);
    await refused(client.put(Buffer.alloc(32), Buffer.from('x')), 422);
    await refused(client.call(200, Buffer.alloc(0)), 422);
    await refused(client.call(4, Buffer.alloc(3)), 422);
    await refused(client.call(5, Buffer.alloc(70, 0xff)), 422);
    await refused(client.call(9, Buffer.alloc(31)), 422);
    assert.equal((await client.last(context, 1000, false)).list.length, counted);
  });

  await check('a frame that is too large is refused, and the connection lives', async () => {
    const size = (64 << 20) + 1;
    await refused(client.call(11, Buffer.alloc(size)), 413);
    assert.equal((await client.head(context)).context, context);
  });

  await check('requests that are sent without waiting see each other', async () => {
    const pipelined = (await client.create()).context;
    const answers = [];
    for (let i = 0; i < 20; i++) {
      answers.push(client.append(pipelined, plain(message('user', `without waiting ${i}`))));
      answers.push(client.head(pipelined));
    }
    const bytes = Buffer.from('put and used at once');
    answers.push(client.put(hash(bytes), bytes));
    answers.push(client.append(pipelined, plain(message('a', 'b'), { root: hash(bytes) })));
    const got = await Promise.all(answers);
    for (let i = 0; i < 20; i++) {
      assert.equal(got[2 * i].depth, i);
      assert.ok(got[2 * i + 1].depth >= i);
    }
  });

  await check('the layout of HELLO that cxdb\'s documents tell', async () => {
    const other = await Client.connect(port);
    const answer = await other.call(1, Buffer.concat([u32(1), u32(6), Buffer.from('kilroy')]));
    assert.equal(answer.readUInt32LE(0), 1);
    assert.ok(answer.readBigUInt64LE(4) > 0n);
    assert.equal(answer.length, 16 + answer.readUInt32LE(12));
    await other.end();
  });

  await check('garbage ends in an ERROR or the end, and harms nobody', async () => {
    for (const garbage of ['GET / HTTP/1.1\r\n\r\n', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', '\xff'.repeat(100)]) {
      await new Promise((resolve, reject) => {
        const socket = net.connect(port, '127.0.0.1', () => socket.end(Buffer.from(garbage, 'latin1')));
        socket.on('data', () => {});
        socket.on('close', resolve);
        socket.on('error', resolve);
        socket.setTimeout(20000, () => reject(new Error('garbage is still listened to')));
      });
    }
    assert.equal((await client.head(context)).context, context);
  });

  await client.end();
  fs.writeFileSync(journal, JSON.stringify(noted));
}

async function after() {
  const client = await Client.connect(port);
  for (const turn of JSON.parse(fs.readFileSync(journal, 'utf8'))) {
    await check(`turn ${turn.turn} survived`, async () => {
      const payload = Buffer.from(turn.hex, 'hex');
      const context = BigInt(turn.context);
      const { list } = await client.range(context, turn.depth, 1, true);
      assert.equal(`${list[0].turn}`, turn.turn);
      assert.deepEqual(list[0].payload, payload);
      if (turn.key) {
        const again = await client.append(context, plain(payload, { key: Buffer.from(turn.key) }));
        assert.equal(`${again.turn}`, turn.turn);
      }
    });
  }
  await client.end();
}

await (phase === 'before' ? before() : after());
console.log(`${checks} checks of the wire ${phase} the kill`);
