// SPDX-License-Identifier: Apache-2.0
import { blocks, parsed, result } from './blocks.js';

/** @type {Record<string, import('../message.js').Role>} */
const ROLES = { user: 'user', human: 'user', assistant: 'assistant', ai: 'assistant', model: 'assistant', system: 'system', developer: 'system', tool: 'tool', function: 'tool' };

/**
 * JSON that says who speaks and what, as most programs write it, Cline among them: `role` with `text` or `content`, which may
 * be blocks, and `tool_calls`.
 *
 * @type {import('../message.js').Profile}
 */
export function plainJson(data) {
  if (data === null || typeof data !== 'object' || Array.isArray(data)) return null;
  const said = data.role ?? data.from;
  const body = data.text ?? data.content ?? data.message;
  if (typeof said !== 'string' || (body === undefined && !Array.isArray(data.tool_calls))) return null;
  const rest = Object.fromEntries(Object.entries(data).filter(([name]) => !['role', 'from', 'text', 'content', 'message', 'tool_calls', 'tool_call_id'].includes(name)));
  const parts = typeof data.tool_call_id === 'string' ? result(data.tool_call_id, body, false) : blocks(body);
  for (const call of Array.isArray(data.tool_calls) ? data.tool_calls : []) parts.push({ kind: 'call', id: String(call?.id), name: String(call?.function?.name), args: parsed(call?.function?.arguments) });
  if (Object.keys(rest).length > 0) parts.push({ kind: 'json', value: rest });
  const isResult = parts.some((part) => part.kind === 'result');
  return { role: isResult ? 'tool' : ROLES[said.toLowerCase()] ?? 'event', title: said, parts, facts: [] };
}
