// SPDX-License-Identifier: Apache-2.0
import { claude } from './profiles/claude.js';
import { codex } from './profiles/codex.js';
import { gemini, qwen } from './profiles/google.js';
import { opencode } from './profiles/opencode.js';
import { pi } from './profiles/pi.js';
import { jp } from './profiles/jp.js';
import { cxdb } from './profiles/cxdb.js';
import { plainJson } from './profiles/plain-json.js';

/**
 * A turn as people read it, whichever program wrote it.
 *
 * @typedef {{kind: 'text', text: string}
 *   | {kind: 'thinking', text: string}
 *   | {kind: 'call', id: string, name: string, args: unknown}
 *   | {kind: 'result', id: string, name: string, text: string, isError: boolean, exitCode: number | null}
 *   | {kind: 'command', command: string, output: string, exitCode: number | null}
 *   | {kind: 'image', mediaType: string, base64: string}
 *   | {kind: 'blob', hash: string, sizeBytes: number, of: string}
 *   | {kind: 'error', text: string}
 *   | {kind: 'json', value: unknown}} Part
 *
 * @typedef {'user' | 'assistant' | 'system' | 'tool' | 'event'} Role
 * @typedef {{role: Role, title: string, parts: Part[], facts: string[]}} Message
 * @typedef {(data: any, typeId: string) => Message | null} Profile
 */

/** @type {Profile[]} */
const PROFILES = [pi, claude, codex, gemini, qwen, opencode, jp, cxdb, plainJson];

/**
 * @param {import('./turns.js').Turn} turn
 * @returns {Message}
 */
export function message(turn) {
  const trouble = turn.projection_error ?? turn.payload_error;
  if (turn.tombstone === true) return { role: 'event', title: 'deleted', parts: [], facts: ['this turn was deleted'] };
  if (trouble !== undefined) {
    return { role: 'event', title: turn.declared_type.type_id, parts: [{ kind: 'error', text: trouble.message }], facts: [] };
  }
  for (const profile of PROFILES) {
    try {
      const found = profile(turn.data, turn.declared_type.type_id);
      if (found !== null) return found;
    } catch {
      // not as the profile expects: the next one, and in the end the JSON itself
    }
  }
  return { role: 'event', title: turn.declared_type.type_id, parts: [{ kind: 'json', value: turn.data }], facts: [] };
}

/**
 * The text of a message for finding and for previews.
 *
 * @param {Message} of
 * @returns {string}
 */
export function textOf(of) {
  return of.parts.map((part) => {
    switch (part.kind) {
      case 'text':
      case 'thinking':
      case 'error':
        return part.text;
      case 'result':
        return part.text;
      case 'call':
        return `${part.name} ${JSON.stringify(part.args)}`;
      case 'command':
        return `${part.command}\n${part.output}`;
      case 'json':
        return JSON.stringify(part.value);
      case 'image':
      case 'blob':
        return '';
    }
  }).join('\n');
}
