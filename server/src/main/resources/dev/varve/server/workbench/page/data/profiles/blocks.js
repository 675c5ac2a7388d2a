// SPDX-License-Identifier: Apache-2.0

/** @typedef {import('../message.js').Part} Part */

/**
 * The content of a message as the interfaces of Anthropic and OpenAI have it: a text, or a list of blocks.
 *
 * @param {any} value
 * @returns {Part[]}
 */
export function blocks(value) {
  if (typeof value === 'string') return value === '' ? [] : [{ kind: 'text', text: value }];
  if (!Array.isArray(value)) return value === undefined || value === null ? [] : [{ kind: 'json', value }];
  return value.flatMap(block);
}

/**
 * @param {any} of
 * @returns {Part[]}
 */
function block(of) {
  switch (of?.type) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return [{ kind: 'text', text: String(of.text) }];
    case 'thinking':
      return [{ kind: 'thinking', text: String(of.thinking) }];
    case 'tool_use':
    case 'server_tool_use':
      return [{ kind: 'call', id: String(of.id), name: String(of.name), args: of.input }];
    case 'tool_result':
      return result(String(of.tool_use_id), of.content, of.is_error === true);
    case 'image':
      return typeof of.source?.data === 'string' ? [{ kind: 'image', mediaType: String(of.source.media_type), base64: of.source.data }] : [{ kind: 'json', value: of }];
    case 'input_image':
    case 'image_url':
      return [dataUrl(of.image_url?.url ?? of.image_url) ?? { kind: 'json', value: of }];
    default:
      return [{ kind: 'json', value: of }];
  }
}

/**
 * The result of a tool: its texts as one, and what is no text.
 *
 * @param {string} id of the call
 * @param {any} value
 * @param {boolean} isError
 * @returns {Part[]}
 */
export function result(id, value, isError) {
  const parts = blocks(value);
  const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).filter((each) => each !== '').join('\n');
  return [{ kind: 'result', id, name: '', text, isError, exitCode: exitCode(text) }, ...parts.filter((part) => part.kind !== 'text')];
}

/**
 * The exit status, where an agent writes it into the text of a result.
 *
 * @param {string} text
 */
export function exitCode(text) {
  const found = text.slice(0, 400).match(/^(?:Error: )?(?:Exit code:?|Process exited with code) (-?\d+)\b/m) ?? text.slice(-200).match(/Command exited with code (-?\d+)\s*$/);
  return found ? Number(found[1]) : null;
}

/**
 * A picture in an address of its own.
 *
 * @param {any} url
 * @returns {Part | null}
 */
export function dataUrl(url) {
  const found = typeof url === 'string' ? url.match(/^data:([a-z/+.-]{1,60});base64,/) : null;
  return found ? { kind: 'image', mediaType: String(found[1]), base64: url.slice(found[0].length) } : null;
}

/**
 * JSON in a text, where it is JSON.
 *
 * @param {any} value
 */
export function parsed(value) {
  try {
    return typeof value === 'string' ? JSON.parse(value) : value;
  } catch {
    return value;
  }
}
