// SPDX-License-Identifier: Apache-2.0

/** @typedef {import('../message.js').Part} Part */
/** @typedef {import('../message.js').Message} Message */

/**
 * Conversation items of cxdb: by field names if the type is registered, otherwise by the tags of the canonical types.
 *
 * @type {import('../message.js').Profile}
 */
export function cxdb(data, typeId) {
  if (!/^cxdb[.:].*ConversationItem$/.test(typeId) || data === null || typeof data !== 'object') return null;
  const kind = String(get(data, 'item_type', 1));
  const facts = [get(data, 'status', 2)].filter((fact) => typeof fact === 'string' && fact !== 'complete' && fact !== '');
  switch (kind) {
    case 'user_input':
      return { role: 'user', title: 'user', parts: text(get(get(data, 'user_input', 10), 'text', 1)), facts };
    case 'assistant_turn': {
      const turn = get(data, 'turn', 11);
      const metrics = get(turn, 'metrics', 4);
      return { role: 'assistant', title: get(turn, 'agent', 5) || 'assistant', parts: [...thought(get(turn, 'reasoning', 3)), ...text(get(turn, 'text', 1)), ...(get(turn, 'tool_calls', 2) ?? []).flatMap(call)], facts: [...facts, get(metrics, 'model', 7)].filter((fact) => typeof fact === 'string' && fact !== '') };
    }
    case 'system': {
      const system = get(data, 'system', 12);
      return { role: 'system', title: [get(system, 'kind', 1), get(system, 'title', 2)].filter(Boolean).join(': ') || 'system', parts: text(get(system, 'content', 3)), facts };
    }
    case 'handoff': {
      const handoff = get(data, 'handoff', 13);
      return { role: 'event', title: 'hand-off', parts: text(get(handoff, 'input', 4)), facts: [`${get(handoff, 'from_agent', 1)} → ${get(handoff, 'to_agent', 2)}`] };
    }
    case 'assistant': {
      const said = get(data, 'assistant', 20);
      return { role: 'assistant', title: 'assistant', parts: [...thought(get(said, 'reasoning', 2)), ...text(get(said, 'text', 1))], facts };
    }
    case 'tool_call': {
      const asked = get(data, 'tool_call', 21);
      return { role: 'assistant', title: 'assistant', parts: [{ kind: 'call', id: String(get(asked, 'call_id', 1)), name: String(get(asked, 'name', 2)), args: json(get(asked, 'args', 3)) }], facts };
    }
    case 'tool_result': {
      const result = get(data, 'tool_result', 22);
      return { role: 'tool', title: 'tool', parts: [{ kind: 'result', id: String(get(result, 'call_id', 1)), name: '', text: String(get(result, 'content', 2) ?? ''), isError: get(result, 'is_error', 3) === true, exitCode: exit(get(result, 'exit_code', 4)) }], facts };
    }
    default:
      return null;
  }
}

/**
 * @param {any} item
 * @returns {Part[]}
 */
function call(item) {
  const id = String(get(item, 'id', 1));
  const name = String(get(item, 'name', 2));
  const result = get(item, 'result', 8);
  const error = get(item, 'error', 9);
  const output = get(result, 'content', 1) ?? get(error, 'message', 2) ?? get(item, 'streaming_output', 6);
  /** @type {Part[]} */
  const parts = [{ kind: 'call', id, name, args: json(get(item, 'args', 3)) }];
  if (typeof output === 'string') {
    parts.push({ kind: 'result', id, name, text: output, isError: Boolean(error) || get(result, 'success', 3) === false, exitCode: exit(get(result, 'exit_code', 4) ?? get(error, 'exit_code', 3)) });
  }
  return parts;
}

/**
 * @param {any} map
 * @param {string} name
 * @param {number} tag
 */
function get(map, name, tag) {
  return map?.[name] ?? map?.[tag];
}

/** @param {any} value */
function exit(value) {
  return typeof value === 'number' ? value : null;
}

/** @param {any} value */
function json(value) {
  try {
    return typeof value === 'string' ? JSON.parse(value) : value;
  } catch {
    return value;
  }
}

/**
 * @param {any} value
 * @returns {Part[]}
 */
function text(value) {
  return typeof value === 'string' && value !== '' ? [{ kind: 'text', text: value }] : [];
}

/**
 * @param {any} value
 * @returns {Part[]}
 */
function thought(value) {
  return typeof value === 'string' && value !== '' ? [{ kind: 'thinking', text: value }] : [];
}
