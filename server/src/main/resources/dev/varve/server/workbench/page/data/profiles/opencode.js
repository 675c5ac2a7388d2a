// SPDX-License-Identifier: Apache-2.0
import { dataUrl } from './blocks.js';

/** @typedef {import('../message.js').Part} Part */

/**
 * Parts of opencode's messages.
 *
 * @type {import('../message.js').Profile}
 */
export function opencode(data, typeId) {
  if (!typeId.startsWith('opencode.')) return null;
  const kind = typeId.slice('opencode.'.length);
  const part = data.data ?? data;
  switch (kind) {
    case 'user':
    case 'assistant':
      if (typeof part.text !== 'string') return null;
      return { role: kind, title: kind, parts: [{ kind: 'text', text: part.text }], facts: part.synthetic === true ? ['put in by the program'] : [] };
    case 'reasoning':
      return { role: 'assistant', title: 'assistant', parts: [{ kind: 'thinking', text: String(part.text) }], facts: [] };
    case 'tool':
      return { role: 'assistant', title: 'assistant', parts: tool(part), facts: [] };
    case 'file':
      return { role: 'user', title: 'file', parts: [dataUrl(part.url) ?? { kind: 'json', value: part }], facts: typeof part.filename === 'string' ? [part.filename] : [] };
    default:
      return { role: 'event', title: kind, parts: [{ kind: 'json', value: part }], facts: [] };
  }
}

/**
 * @param {any} part
 * @returns {Part[]}
 */
function tool(part) {
  const id = String(part.callID);
  const { input, output, error, metadata } = part.state ?? {};
  const text = typeof metadata?.diff === 'string' ? metadata.diff : output ?? error;
  /** @type {Part[]} */
  const parts = [{ kind: 'call', id, name: String(part.tool), args: input }];
  if (typeof text === 'string') parts.push({ kind: 'result', id, name: String(part.tool), text, isError: error !== undefined, exitCode: typeof metadata?.exit === 'number' ? metadata.exit : null });
  return parts;
}
