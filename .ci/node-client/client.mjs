// SPDX-License-Identifier: Apache-2.0
//
// A client of the binary protocol, written from docs/protocol.md alone. One request at a time unless the caller does not wait.
import net from 'node:net';

export class WireError extends Error {
  constructor(code, detail) {
    super(`${code}: ${detail}`);
    this.code = code;
    this.detail = detail;
  }
}

export class Client {
  #socket;
  #received = Buffer.alloc(0);
  #waiting = new Map();
  #nextId = 1n;
  closed;

  static connect(port, host = '127.0.0.1') {
    return new Promise((resolve, reject) => {
      const socket = net.connect({ port, host, noDelay: true }, () => resolve(new Client(socket)));
      socket.once('error', reject);
    });
  }

  constructor(socket) {
    this.#socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('connection closed'));
      this.#waiting.clear();
    });
  }

  #take(chunk) {
    this.#received = Buffer.concat([this.#received, chunk]);
    while (this.#received.length >= 16) {
      const length = this.#received.readUInt32LE(0);
      if (this.#received.length < 16 + length) return;
      const type = this.#received.readUInt16LE(4);
      const id = this.#received.readBigUInt64LE(8);
      const payload = this.#received.subarray(16, 16 + length);
      this.#received = this.#received.subarray(16 + length);
      const asked = this.#waiting.get(id);
      if (!asked) throw new Error(`an answer to ${id}, which nobody asked`);
      this.#waiting.delete(id);
      if (type === 255) {
        const detail = payload.toString('utf8', 8, 8 + payload.readUInt32LE(4));
        asked.reject(new WireError(payload.readUInt32LE(0), detail));
      } else if (type !== asked.type) {
        asked.reject(new Error(`asked ${asked.type}, answered ${type}`));
      } else {
        asked.resolve(payload);
      }
    }
  }

  call(type, payload, flags = 0) {
    const id = this.#nextId++;
    const header = Buffer.alloc(16);
    header.writeUInt32LE(payload.length, 0);
    header.writeUInt16LE(type, 4);
    header.writeUInt16LE(flags, 6);
    header.writeBigUInt64LE(id, 8);
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { type, resolve, reject }));
    this.#socket.write(Buffer.concat([header, payload]));
    return answer;
  }

  raw(bytes) {
    this.#socket.write(bytes);
  }

  end() {
    this.#socket.end();
    return this.closed;
  }

  async hello(tag) {
    const answer = await this.call(1, Buffer.concat([u16(1), u16(tag.length), Buffer.from(tag), u32(0)]));
    return { session: answer.readBigUInt64LE(0), version: answer.readUInt16LE(8) };
  }

  async create(base = 0n) {
    return head(await this.call(2, u64(base)));
  }

  async fork(base) {
    return head(await this.call(3, u64(base)));
  }

  async head(context) {
    return head(await this.call(4, u64(context)));
  }

  /// turn: { parent, type, version, compression, size, hash, payload, key, root }
  async append(context, turn) {
    const answer = await this.call(
      5,
      Buffer.concat([
        u64(context),
        u64(turn.parent ?? 0n),
        text(turn.type ?? 'test.Message'),
        u32(turn.version ?? 1),
        u32(1),
        u32(turn.compression ?? 0),
        u32(turn.size ?? turn.payload.length),
        turn.hash,
        sized(turn.payload),
        sized(turn.key ?? Buffer.alloc(0)),
        turn.root ?? Buffer.alloc(0),
      ]),
      turn.root ? 1 : 0,
    );
    return {
      context: answer.readBigUInt64LE(0),
      turn: answer.readBigUInt64LE(8),
      depth: answer.readUInt32LE(16),
      hash: answer.subarray(20, 52),
    };
  }

  async last(context, limit, payloads) {
    return turns(await this.call(6, Buffer.concat([u64(context), u32(limit), u32(payloads ? 1 : 0)])));
  }

  async before(context, cursor, limit, payloads) {
    return turns(
      await this.call(7, Buffer.concat([u64(context), u64(cursor), u32(limit), u32(payloads ? 1 : 0)])),
    );
  }

  async range(context, start, limit, payloads) {
    return turns(
      await this.call(8, Buffer.concat([u64(context), u32(start), u32(limit), u32(payloads ? 1 : 0)])),
    );
  }

  async blob(hash) {
    const answer = await this.call(9, hash);
    return answer.subarray(4, 4 + answer.readUInt32LE(0));
  }

  async attach(turn, root) {
    return this.call(10, Buffer.concat([u64(turn), root]));
  }

  async put(hash, data) {
    const answer = await this.call(11, Buffer.concat([hash, sized(data)]));
    return { hash: answer.subarray(0, 32), wasNew: answer[32] === 1 };
  }
}

export const u16 = (value) => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};
export const u32 = (value) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
export const u64 = (value) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
export const sized = (bytes) => Buffer.concat([u32(bytes.length), bytes]);
export const text = (value) => sized(Buffer.from(value, 'utf8'));

const head = (bytes) => ({
  context: bytes.readBigUInt64LE(0),
  turn: bytes.readBigUInt64LE(8),
  depth: bytes.readUInt32LE(16),
});

function turns(bytes) {
  let at = 0;
  const number = () => bytes.readUInt32LE((at += 4) - 4);
  const long = () => bytes.readBigUInt64LE((at += 8) - 8);
  const take = (count) => bytes.subarray(at, (at += count));
  const list = [];
  for (let left = number(); left > 0; left--) {
    list.push({
      turn: long(),
      parent: long(),
      depth: number(),
      type: take(number()).toString('utf8'),
      version: number(),
      encoding: number(),
      compression: number(),
      size: number(),
      hash: take(32),
      payload: take(number()),
    });
  }
  return { list, next: long(), head: long(), headDepth: number() };
}
