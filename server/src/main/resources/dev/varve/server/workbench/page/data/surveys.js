// SPDX-License-Identifier: Apache-2.0
import { ask } from './api.js';

/**
 * @typedef {'space' | 'garbage' | 'check'} SurveyName
 * @typedef {{name: string, contexts: number, turns: number, content_bytes: number, kept_bytes: number}} Share
 * @typedef {{ended_at_unix_ms: number, store_turns: number}} Result
 * @typedef {Result & {all: Share, agents: Share[], projects: Share[], kinds: Share[], exact: boolean, unreadable: number}} Space
 * @typedef {Result & {blobs: number, raw_bytes: number, pack_bytes: number, turns: number}} Garbage
 * @typedef {{file: string, offset: number, what: string, derived: boolean}} Problem
 * @typedef {Result & {sound: boolean, blobs: number, turns: number, contexts: number, problem_count: number, problems: Problem[]}} Check
 */

/**
 * @template R
 * @typedef {{running: boolean, done: number, total: number, failure?: string, last?: R}} Survey
 */

/** @typedef {{space: Survey<Space>, garbage: Survey<Garbage>, check: Survey<Check>}} Surveys */

/**
 * Begins a survey of the whole store.
 *
 * @param {SurveyName} name
 * @param {AbortSignal} signal
 * @returns {Promise<Surveys>}
 */
export async function begin(name, signal) {
  const response = await ask(`v1/surveys/${name}`, { method: 'POST', signal });
  return response.json();
}
