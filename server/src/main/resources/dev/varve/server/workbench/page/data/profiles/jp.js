// SPDX-License-Identifier: Apache-2.0

/** @typedef {import('../message.js').Part} Part */

/** @type {import('../message.js').Profile} */
export function jp(data, typeId) {
  if (!typeId.startsWith('jp.')) return null;
  switch (data.type) {
    case 'chat_request':
      return { role: 'user', title: data.author ?? 'user', parts: text(data.content, 'text'), facts: [] };
    case 'chat_response':
      return data.reasoning !== undefined
        ? { role: 'assistant', title: 'assistant', parts: text(data.reasoning, 'thinking'), facts: [] }
        : { role: 'assistant', title: 'assistant', parts: data.message !== undefined ? text(data.message, 'text') : [{ kind: 'json', value: data }], facts: [] };
    case 'tool_call_request':
      return { role: 'assistant', title: 'assistant', parts: [{ kind: 'call', id: String(data.id), name: String(data.name), args: decoded(data.arguments) }], facts: [] };
    case 'tool_call_response':
      return { role: 'tool', title: 'tool', parts: results(data), facts: [] };
    case 'turn_start':
      return { role: 'event', title: 'turn starts', parts: [], facts: [] };
    case 'config_delta':
      return { role: 'event', title: 'configuration', parts: [{ kind: 'json', value: data.delta }], facts: [] };
    default:
      return { role: 'event', title: String(data.type), parts: [{ kind: 'json', value: data }], facts: [] };
  }
}

/**
 * @param {any} data
 * @returns {Part[]}
 */
function results(data) {
  const contents = Array.isArray(data.content) ? data.content : [{ content: data.content }];
  return contents.map((/** @type {any} */ each) => {
    const value = each?.content ?? each?.text;
    if (value?.$blob !== undefined) return { kind: 'blob', hash: String(value.$blob), sizeBytes: Number(value.size), of: String(data.id) };
    if (typeof value !== 'string') return { kind: 'json', value: each };
    return { kind: 'result', id: String(data.id), name: '', text: fromBase64(value) ?? value, isError: data.is_error === true, exitCode: null };
  });
}

/**
 * @param {any} value
 * @param {'text' | 'thinking'} kind
 * @returns {Part[]}
 */
function text(value, kind) {
  if (value?.$blob !== undefined) return [{ kind: 'blob', hash: String(value.$blob), sizeBytes: Number(value.size), of: '' }];
  return [{ kind, text: String(value) }];
}

/**
 * The arguments of a tool with their texts decoded: JP writes the texts in base64.
 *
 * @param {any} value
 * @returns {unknown}
 */
function decoded(value) {
  if (typeof value === 'string') return fromBase64(value) ?? value;
  if (Array.isArray(value)) return value.map(decoded);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, decoded(each)]));
  }
  return value;
}

/** @param {string} value */
function fromBase64(value) {
  if (value === '' || value.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return null;
  try {
    const bytes = Uint8Array.from(atob(value), (c) => c.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
