// SPDX-License-Identifier: Apache-2.0
import { request, takeBegun } from './request.js';

/** A refusal of the service, or its absence. */
export class ApiError extends Error {
  /**
   * @param {number} status of HTTP; 0 if no answer came
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** News of the connection for the shell: `unauthorised`, `gone`, `back`. */
export const connection = new EventTarget();
let isGone = false;

/**
 * @param {string} path
 * @param {{signal?: AbortSignal, headers?: Record<string, string>, method?: string, body?: string, answer?: number, begun?: Promise<Response> | null}} [options] `answer`
 *   is a status beside those of success that is an answer too, `begun` the same request if it is on its way
 * @returns {Promise<Response>}
 */
export async function ask(path, options = {}) {
  let response;
  try {
    response = await (options.begun ?? request(path, options));
  } catch (e) {
    if (options.signal?.aborted) throw e;
    lost();
    throw new ApiError(0, 'the service does not answer');
  }
  if (isGone) {
    isGone = false;
    connection.dispatchEvent(new Event('back'));
  }
  if (response.ok || response.status === options.answer) return response;
  let message = response.statusText;
  try {
    const body = await response.json();
    message = typeof body.error === 'string' ? body.error : (body.error?.message ?? message);
  } catch {
    // no JSON: the status has to do
  }
  if (response.status === 401) connection.dispatchEvent(new Event('unauthorised'));
  throw new ApiError(response.status, message);
}

/** Notes that the service is gone, and asks until it is back. */
export function lost() {
  if (isGone) return;
  isGone = true;
  connection.dispatchEvent(new Event('gone'));
  const again = () => {
    if (!isGone) return;
    ask('healthz').catch(() => {}).finally(() => setTimeout(again, 1_000));
  };
  setTimeout(again, 500);
}

/**
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function getJson(path, signal) {
  const response = await ask(path, { ...(signal ? { signal } : {}), begun: takeBegun(path) });
  return whole(response.json(), signal);
}

/**
 * The body of an answer; its connection may end before the body does.
 *
 * @template T
 * @param {Promise<T>} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<T>}
 */
async function whole(body, signal) {
  try {
    return await body;
  } catch (e) {
    if (signal?.aborted) throw e;
    lost();
    throw new ApiError(0, 'the answer broke off');
  }
}

/**
 * The text of a blob or file, as far as it is wanted.
 *
 * @param {string} path
 * @param {number} bytesMax
 * @param {AbortSignal} [signal]
 * @returns {Promise<{text: string, isWhole: boolean, isText: boolean, sizeBytes: number, bytes: Uint8Array<ArrayBuffer>}>}
 */
export async function getText(path, bytesMax, signal) {
  const response = await ask(path, { headers: { Range: `bytes=0-${bytesMax - 1}` }, ...(signal ? { signal } : {}) }).catch((e) => {
    if (e instanceof ApiError && e.status === 416) return null; // a range of an empty blob
    throw e;
  });
  if (response === null) return { text: '', isWhole: true, isText: true, sizeBytes: 0, bytes: new Uint8Array() };
  const bytes = new Uint8Array(await whole(response.arrayBuffer(), signal));
  const sizeBytes = Number(response.headers.get('Content-Range')?.split('/')[1] ?? bytes.length);
  return { text: new TextDecoder().decode(bytes), isWhole: bytes.length >= sizeBytes, isText: isText(bytes), sizeBytes, bytes };
}

/** @param {Uint8Array} bytes */
function isText(bytes) {
  return !bytes.subarray(0, 8_000).includes(0);
}

/**
 * The parameters that have a value, as a query.
 *
 * @param {Record<string, string | number | boolean | null | undefined>} params
 */
export function query(params) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== null && value !== undefined && value !== '' && value !== false) search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
