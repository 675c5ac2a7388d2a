// SPDX-License-Identifier: Apache-2.0

/** @typedef {import('../message.js').Part} Part */
/** @typedef {import('../message.js').Message} Message */

/**
 * Messages of Gemini CLI.
 *
 * @type {import('../message.js').Profile}
 */
export function gemini(data, typeId) {
  if (!typeId.startsWith('gemini.')) return null;
  const parts = pieces(data.content);
  if (typeId === 'gemini.compaction') return { role: 'event', title: 'compaction', parts, facts: [] };
  switch (data.type) {
    case 'user':
      return spoken(parts);
    case 'gemini': {
      const thoughts = (data.thoughts ?? []).map((/** @type {any} */ each) => `${each.subject ?? ''}\n${each.description ?? ''}`.trim()).join('\n\n');
      return { role: 'assistant', title: 'assistant', parts: [...(thoughts === '' ? [] : [/** @type {Part} */ ({ kind: 'thinking', text: thoughts })]), ...parts, ...(data.toolCalls ?? []).flatMap(call)], facts: [data.model, data.tokens?.total === undefined ? null : `${data.tokens.total} tokens`].filter((fact) => typeof fact === 'string') };
    }
    case 'error':
      return { role: 'event', title: 'error', parts: parts.map((part) => (part.kind === 'text' ? { kind: 'error', text: part.text } : part)), facts: [] };
    default:
      return { role: 'event', title: String(data.type), parts, facts: [] };
  }
}

/**
 * Records of Qwen Code.
 *
 * @type {import('../message.js').Profile}
 */
export function qwen(data, typeId) {
  if (!typeId.startsWith('qwen.')) return null;
  const parts = pieces(data.message?.parts);
  if (typeId === 'qwen.compaction') return { role: 'event', title: 'compaction', parts: [{ kind: 'json', value: data.systemPayload }], facts: [] };
  if (data.type === 'system') return { role: 'event', title: String(data.subtype), parts: [...parts, { kind: 'json', value: data.systemPayload }], facts: [] };
  return data.type === 'assistant' ? { role: 'assistant', title: 'assistant', parts, facts: typeof data.model === 'string' ? [data.model] : [] } : spoken(parts);
}

/**
 * What comes from the user: a prompt, or results of tools.
 *
 * @param {Part[]} parts
 * @returns {Message}
 */
function spoken(parts) {
  return parts.some((part) => part.kind === 'result') ? { role: 'tool', title: 'tool', parts, facts: [] } : { role: 'user', title: 'user', parts, facts: [] };
}

/**
 * The parts of a message as Google's interface has them, or a text.
 *
 * @param {any} value
 * @returns {Part[]}
 */
function pieces(value) {
  if (typeof value === 'string') return value === '' ? [] : [{ kind: 'text', text: value }];
  if (!Array.isArray(value)) return value === undefined || value === null ? [] : [{ kind: 'json', value }];
  return value.map((each) => {
    if (typeof each === 'string') return { kind: 'text', text: each };
    if (typeof each?.text === 'string') return { kind: each.thought === true ? 'thinking' : 'text', text: each.text };
    if (each?.functionCall) return { kind: 'call', id: String(each.functionCall.id ?? each.functionCall.name), name: String(each.functionCall.name), args: each.functionCall.args };
    if (each?.functionResponse) return result(each.functionResponse);
    if (typeof each?.inlineData?.data === 'string') return { kind: 'image', mediaType: String(each.inlineData.mimeType), base64: each.inlineData.data };
    return { kind: 'json', value: each };
  });
}

/**
 * A call of Gemini CLI, which has its results inside.
 *
 * @param {any} of
 * @returns {Part[]}
 */
function call(of) {
  const id = String(of.id);
  const results = Array.isArray(of.result) ? of.result.filter((/** @type {any} */ each) => each?.functionResponse).map((/** @type {any} */ each) => ({ ...result(each.functionResponse), id, isError: of.status === 'error' })) : [];
  return [{ kind: 'call', id, name: String(of.name), args: of.args }, ...results];
}

/**
 * @param {any} response
 * @returns {Extract<Part, {kind: 'result'}>}
 */
function result(response) {
  const said = response.response?.output ?? response.response?.error ?? response.response;
  const text = typeof said === 'string' ? said : JSON.stringify(said, null, 2) ?? '';
  const code = text.match(/^Exit Code: (-?\d+)$/m);
  return { kind: 'result', id: String(response.id ?? response.name), name: String(response.name), text, isError: response.response?.error !== undefined, exitCode: code ? Number(code[1]) : null };
}
