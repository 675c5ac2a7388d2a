// SPDX-License-Identifier: Apache-2.0
import { content } from './pi.js';

/** @type {Record<string, import('../message.js').Role>} */
const ROLES = { user: 'user', human: 'user', assistant: 'assistant', ai: 'assistant', model: 'assistant', system: 'system', developer: 'system', tool: 'tool', function: 'tool' };

/**
 * JSON that says who speaks and what, as most programs write it: `role` with `text` or `content`.
 *
 * @type {import('../message.js').Profile}
 */
export function plainJson(data) {
  if (data === null || typeof data !== 'object' || Array.isArray(data)) return null;
  const said = data.role ?? data.from;
  const body = data.text ?? data.content ?? data.message;
  if (typeof said !== 'string' || body === undefined) return null;
  const rest = Object.fromEntries(Object.entries(data).filter(([name]) => !['role', 'from', 'text', 'content', 'message'].includes(name)));
  const parts = content(body);
  if (Object.keys(rest).length > 0) parts.push({ kind: 'json', value: rest });
  return { role: ROLES[said.toLowerCase()] ?? 'event', title: said, parts, facts: [] };
}
