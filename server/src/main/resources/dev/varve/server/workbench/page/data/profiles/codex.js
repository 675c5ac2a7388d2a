// SPDX-License-Identifier: Apache-2.0
import { blocks, exitCode, parsed } from './blocks.js';

/** @typedef {import('../message.js').Part} Part */
/** @typedef {import('../message.js').Message} Message */

/**
 * Items of Codex's rollouts, with their envelope or, in the first versions, without.
 *
 * @type {import('../message.js').Profile}
 */
export function codex(data, typeId) {
  if (!typeId.startsWith('codex.')) return null;
  const item = data.payload?.item ?? data.payload ?? data;
  if (data.type === 'compacted') return { role: 'event', title: 'compaction', parts: blocks(item.message), facts: [] };
  switch (item.type ?? 'message') {
    case 'message':
      return said(item);
    case 'reasoning': {
      const thought = [...(item.summary ?? []), ...(item.content ?? [])].map((each) => String(each.text)).join('\n\n');
      return { role: 'assistant', title: 'assistant', parts: thought === '' ? [] : [{ kind: 'thinking', text: thought }], facts: thought === '' ? ['thought, encrypted'] : [] };
    }
    case 'function_call':
    case 'custom_tool_call':
      return calls(item, item.name, parsed(item.arguments ?? item.input));
    case 'local_shell_call':
      return calls(item, 'shell', item.action);
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { role: 'tool', title: 'tool', parts: output(item), facts: [] };
    case 'CommandExecution':
      return { role: 'assistant', title: 'command of a script', parts: [{ kind: 'command', command: Array.isArray(item.command) ? item.command.join(' ') : String(item.command), output: String(item.aggregated_output ?? ''), exitCode: typeof item.exit_code === 'number' ? item.exit_code : null }], facts: [] };
    default:
      return { role: 'event', title: String(item.type), parts: [{ kind: 'json', value: item }], facts: [] };
  }
}

/**
 * @param {any} item
 * @returns {Message}
 */
function said(item) {
  const role = String(item.role);
  const known = role === 'user' || role === 'assistant' ? role : 'system';
  return { role: known, title: role, parts: blocks(item.content), facts: [] };
}

/**
 * @param {any} item
 * @param {any} name
 * @param {unknown} args
 * @returns {Message}
 */
function calls(item, name, args) {
  return { role: 'assistant', title: 'assistant', parts: [{ kind: 'call', id: String(item.call_id), name: String(name), args }], facts: [] };
}

/**
 * @param {any} item
 * @returns {Part[]}
 */
function output(item) {
  const whole = parsed(item.output);
  const isForm = whole !== null && typeof whole === 'object' && !Array.isArray(whole);
  const parts = blocks(isForm ? whole.output ?? whole.content : Array.isArray(whole) ? whole : String(item.output));
  const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n');
  const code = isForm && typeof whole.metadata?.exit_code === 'number' ? whole.metadata.exit_code : exitCode(text);
  return [{ kind: 'result', id: String(item.call_id), name: '', text, isError: isForm && whole.success === false, exitCode: code }, ...parts.filter((part) => part.kind !== 'text')];
}
