// SPDX-License-Identifier: Apache-2.0
import { ApiError, ask, query } from './api.js';

/**
 * @typedef {'restore' | 'undo'} RestoreKind
 * @typedef {{path: string, action: 'create' | 'change' | 'permit' | 'delete' | 'keep', why: string, edited_since: boolean, content_now: string | null, content_then: string | null}} PlannedPath
 * @typedef {{root: string, plan_digest: string, is_allowed: boolean, snapshot: string, changes: number, size: string, path_count: number, paths: PlannedPath[]}} RestorePlan
 * @typedef {{root: string, changes: number, failure_count: number, failures: {path: string, failure: string}[]}} RestoreOutcome
 */

/**
 * Plans a restore of the files at a turn, or an undo of the last restore in the folder from which they were taken.
 *
 * @param {string} turn
 * @param {RestoreKind} kind
 * @param {AbortSignal} signal
 * @returns {Promise<RestorePlan>}
 */
export async function plan(turn, kind, signal) {
  try {
    return await (await ask(address(turn, 'restore-plan', kind), { method: 'POST', signal })).json();
  } catch (error) {
    if (error instanceof ApiError && error.status === 404 && error.message.includes('to undo')) throw new ApiError(404, 'No restore of this folder is left to undo.');
    if (error instanceof ApiError && error.status === 404) throw new ApiError(404, `${kind === 'undo' ? 'No undo' : 'No restore of these files'} can be planned here: ${error.message}. Rewind plans one for a snapshot that it keeps in this store, on the machine on which it took the snapshot.`);
    throw begun(error);
  }
}

/**
 * Carries out the plan that somebody was shown and agreed to. The service goes on even if nobody waits for the answer.
 *
 * @param {string} turn
 * @param {RestoreKind} kind
 * @param {string} digest
 * @param {AbortSignal} signal
 * @returns {Promise<RestoreOutcome>}
 */
export async function carryOut(turn, kind, digest, signal) {
  try {
    return await (await ask(address(turn, 'restore', kind), { method: 'POST', body: JSON.stringify({ plan_digest: digest }), headers: { 'Content-Type': 'application/json' }, signal })).json();
  } catch (error) {
    if (error instanceof ApiError && error.status === 409 && !isBegun(error)) throw new ApiError(409, 'The files are not as they were when the plan was shown. Nothing was restored: plan again.');
    if (error instanceof ApiError && (error.status === 0 || error.status >= 500)) throw new ApiError(error.status, `The restore did not end well: ${error.message}. Plan again to see how far it came.`);
    throw begun(error);
  }
}

/** @param {string} turn @param {string} what @param {RestoreKind} kind */
function address(turn, what, kind) {
  return `v1/turns/${encodeURIComponent(turn)}/${what}${query({ undo: kind === 'undo' })}`;
}

/** @param {ApiError} error */
function isBegun(error) {
  return error.message.includes('one that broke off'); // the engine's words: another conflict is a plan that is old
}

/**
 * The refusal because an earlier restore broke off, with the way out of it.
 *
 * @param {unknown} error
 */
function begun(error) {
  if (!(error instanceof ApiError) || error.status !== 409 || !isBegun(error)) return error;
  return new ApiError(409, 'A restore of this folder broke off. In the folder, varve rewind restore --finish ends it, --roll-back takes it back.');
}
