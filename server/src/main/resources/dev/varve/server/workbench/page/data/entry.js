// SPDX-License-Identifier: Apache-2.0
import { ask } from './api.js';
import { useToken } from './request.js';

/**
 * Exchanges the one-time code of a link (`#enter=…`) for a token, and takes the code out of the address and the history. A code
 * that was used already leaves the page as it is: a token of an earlier visit may still hold.
 */
export async function redeem() {
  const found = location.hash.match(/^#enter=([A-Za-z0-9_-]{1,200})$/);
  if (found === null) return;
  history.replaceState(null, '', `${location.pathname}#/contexts`);
  try {
    const answer = await ask('ui/session', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ code: found[1] }) });
    useToken((await answer.json()).token);
  } catch {
    // the shell shows what is missing
  }
}
