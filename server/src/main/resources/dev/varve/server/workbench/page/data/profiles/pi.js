// SPDX-License-Identifier: Apache-2.0

/** @typedef {import('../message.js').Part} Part */
/** @typedef {import('../message.js').Role} Role */

/** @type {import('../message.js').Profile} */
export function pi(data, typeId) {
  if (!typeId.startsWith('pi.')) return null;
  const kind = String(data.type);
  switch (kind) {
    case 'message':
      return said(data.message);
    case 'custom_message':
      return { role: 'event', title: `note of ${data.customType}`, parts: content(data.content), facts: [] };
    case 'branch_summary':
    case 'compaction':
      return { role: 'event', title: kind === 'compaction' ? 'compaction' : 'summary of another branch', parts: [{ kind: 'text', text: String(data.summary) }], facts: data.tokensBefore === undefined ? [] : [`${data.tokensBefore} tokens before`] };
    case 'model_change':
      return { role: 'event', title: 'model', parts: [], facts: [`${data.provider} ${data.modelId}`] };
    case 'thinking_level_change':
      return { role: 'event', title: 'thinking', parts: [], facts: [String(data.thinkingLevel)] };
    case 'session_info':
      return { role: 'event', title: 'name', parts: [], facts: [String(data.name)] };
    case 'label':
      return { role: 'event', title: 'label', parts: [], facts: [String(data.label ?? 'removed')] };
    case 'custom':
      return { role: 'event', title: String(data.customType), parts: [{ kind: 'json', value: data.data }], facts: snapshots(data) };
    default:
      return { role: 'event', title: kind, parts: [{ kind: 'json', value: data }], facts: [] };
  }
}

/** @param {any} data */
function snapshots(data) {
  const count = Array.isArray(data.data?.snapshots) ? data.data.snapshots.length : 0;
  return String(data.customType).startsWith('rewind') && count > 0 ? [`${count} snapshot${count === 1 ? '' : 's'} of the files`] : [];
}

/**
 * @param {any} message
 * @returns {import('../message.js').Message}
 */
function said(message) {
  const role = String(message.role);
  switch (role) {
    case 'user':
      return { role: 'user', title: 'user', parts: content(message.content), facts: [] };
    case 'assistant': {
      const parts = content(message.content);
      if (message.errorMessage) parts.push({ kind: 'error', text: String(message.errorMessage) });
      const facts = [message.model, message.usage?.totalTokens ? `${message.usage.totalTokens} tokens` : null, message.stopReason === 'toolUse' || message.stopReason === 'stop' ? null : message.stopReason];
      return { role: 'assistant', title: 'assistant', parts, facts: facts.filter((fact) => typeof fact === 'string') };
    }
    case 'system': {
      const sections = Object.values(message.sections ?? {}).filter((text) => typeof text === 'string');
      return { role: 'system', title: 'system', parts: [...content(message.content), { kind: 'thinking', text: sections.join('\n\n') }], facts: [] };
    }
    case 'toolResult': {
      const parts = content(message.content);
      const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n');
      return { role: 'tool', title: String(message.toolName), parts: [{ kind: 'result', id: String(message.toolCallId), name: String(message.toolName), text: diffOf(message) ?? text, isError: message.isError === true, exitCode: exitCode(message, text) }, ...parts.filter((part) => part.kind === 'image')], facts: message.durationMs === undefined ? [] : [`${message.durationMs} ms`] };
    }
    case 'bashExecution':
      return { role: 'user', title: 'command', parts: [{ kind: 'command', command: String(message.command), output: String(message.output ?? ''), exitCode: typeof message.exitCode === 'number' ? message.exitCode : null }], facts: message.cancelled === true ? ['cancelled'] : [] };
    default:
      return { role: 'event', title: message.customType ?? role, parts: content(message.content), facts: [] };
  }
}

/** @param {any} message */
function diffOf(message) {
  return typeof message.details?.diff === 'string' ? message.details.diff : null;
}

/**
 * @param {any} message
 * @param {string} text
 */
function exitCode(message, text) {
  if (typeof message.details?.exitCode === 'number') return message.details.exitCode;
  const found = text.match(/Command exited with code (\d+)\s*$/);
  return found ? Number(found[1]) : null;
}

/**
 * @param {any} value
 * @returns {Part[]}
 */
function content(value) {
  if (typeof value === 'string') return value === '' ? [] : [{ kind: 'text', text: value }];
  if (!Array.isArray(value)) return value === undefined || value === null ? [] : [{ kind: 'json', value }];
  return value.map((part) => {
    switch (part?.type) {
      case 'text':
        return { kind: 'text', text: String(part.text) };
      case 'thinking':
        return { kind: 'thinking', text: String(part.thinking) };
      case 'toolCall':
        return { kind: 'call', id: String(part.id), name: String(part.name), args: part.arguments };
      case 'image':
        return { kind: 'image', mediaType: String(part.mimeType), base64: String(part.data) };
      default:
        return { kind: 'json', value: part };
    }
  });
}
