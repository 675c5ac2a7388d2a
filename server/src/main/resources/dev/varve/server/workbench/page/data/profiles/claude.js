// SPDX-License-Identifier: Apache-2.0
import { blocks } from './blocks.js';

/** @typedef {import('../message.js').Part} Part */

/**
 * Records of Claude Code's transcripts.
 *
 * @type {import('../message.js').Profile}
 */
export function claude(data, typeId) {
  if (!typeId.startsWith('claude-code.')) return null;
  switch (data.type) {
    case 'user':
      return user(data);
    case 'assistant': {
      const { model, stop_reason: stop } = data.message ?? {};
      const facts = [model, stop === 'end_turn' || stop === 'tool_use' ? null : stop, data.isApiErrorMessage === true ? 'failed' : null];
      return { role: 'assistant', title: 'assistant', parts: blocks(data.message?.content), facts: facts.filter((fact) => typeof fact === 'string') };
    }
    case 'system': {
      const isBoundary = data.subtype === 'compact_boundary';
      const before = data.compactMetadata?.preTokens;
      return { role: 'event', title: isBoundary ? 'compaction' : String(data.subtype ?? 'system'), parts: blocks(data.content), facts: before === undefined ? [] : [`${before} tokens before`] };
    }
    case 'attachment':
      return { role: 'event', title: `attached: ${data.attachment?.type}`, parts: [{ kind: 'json', value: data.attachment }], facts: [] };
    default:
      return null;
  }
}

/**
 * A prompt, or the results of tools.
 *
 * @param {any} data
 * @returns {import('../message.js').Message}
 */
function user(data) {
  const parts = blocks(data.message?.content);
  const results = parts.filter((part) => part.kind === 'result');
  const patch = patchOf(data.toolUseResult);
  if (results.length === 1 && patch !== null) /** @type {Extract<Part, {kind: 'result'}>} */ (results[0]).text = patch;
  const facts = [data.isMeta === true ? 'put in by the program' : null].filter((fact) => fact !== null);
  if (results.length > 0) return { role: 'tool', title: 'tool', parts, facts };
  if (data.isCompactSummary === true) return { role: 'event', title: 'summary after a compaction', parts, facts };
  return { role: 'user', title: 'user', parts, facts };
}

/**
 * The change of a file as a patch.
 *
 * @param {any} result
 */
function patchOf(result) {
  const hunks = result?.structuredPatch;
  if (!Array.isArray(hunks) || hunks.length === 0) return null;
  const lines = hunks.flatMap((hunk) => [`@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`, ...hunk.lines]);
  return `--- ${result.filePath}\n+++ ${result.filePath}\n${lines.join('\n')}`;
}
