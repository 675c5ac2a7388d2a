// SPDX-License-Identifier: Apache-2.0
import { ApiError, ask, connection, lost } from './api.js';

/** @typedef {{name: string, data: any}} LiveEvent */
/** @typedef {(event: LiveEvent) => void} Listener */

/** @type {Set<Listener>} */
const listeners = new Set();
let isRunning = false;
let lastId = '';

/**
 * Hears of what happens in the store. `refresh` stands for events that were missed: ask again for what is shown.
 *
 * @param {Listener} listener
 * @returns {() => void} ends it
 */
export function listen(listener) {
  listeners.add(listener);
  if (!isRunning) {
    isRunning = true;
    void run();
  }
  return () => listeners.delete(listener);
}

/** @param {LiveEvent} event */
function tell(event) {
  for (const listener of [...listeners]) listener(event);
}

/** Server-sent events over fetch, which can send a token. */
async function run() {
  let waitMs = 500;
  for (;;) {
    try {
      const response = await ask('v1/events', { headers: lastId === '' ? {} : { 'Last-Event-ID': lastId } });
      waitMs = 500;
      await read(/** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (response.body));
      lost();
    } catch (e) {
      if (e instanceof ApiError && (e.status === 401 || e.status === 403)) {
        isRunning = false;
        return; // the next listener tries again, with a token by then
      }
      if (!(e instanceof ApiError)) lost();
    }
    const ms = waitMs;
    waitMs = Math.min(10_000, waitMs * 2);
    await new Promise((resolve) => {
      connection.addEventListener('back', resolve, { once: true });
      setTimeout(resolve, ms);
    });
  }
}

/** @param {ReadableStream<Uint8Array<ArrayBuffer>>} body */
async function read(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) take(block);
  }
}

/** @param {string} block */
function take(block) {
  let name = 'message';
  let data = '';
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) name = line.slice(7);
    else if (line.startsWith('data: ')) data += line.slice(6);
    else if (line.startsWith('id: ')) lastId = line.slice(4);
  }
  if (data === '') return;
  if (name === 'gap' || name === 'dropped') tell({ name: 'refresh', data: {} });
  else tell({ name, data: JSON.parse(data) });
}
