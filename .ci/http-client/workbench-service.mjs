// SPDX-License-Identifier: Apache-2.0
//
// A command of Varve that serves a store, for the checks of the workbench.
import { spawn } from 'node:child_process';

/**
 * Starts a command that serves and says so in JSON.
 *
 * @param {string} command
 * @param {string} store
 * @param {...string} words
 * @returns the first line that the command prints, and `stop`, which ends it and waits for its end
 */
export async function start(command, store, ...words) {
  const child = spawn('/bin/sh', ['-c', `exec ${command} "$@"`, 'varve', ...words, '--json', '--store', store], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const piece of child.stdout) {
    text += piece;
    if (text.includes('\n')) break;
  }
  const ready = JSON.parse(text.split('\n')[0]);
  const ended = new Promise((resolve) => { child.on('exit', resolve); });
  return { ...ready, stop: async (signal = 'SIGTERM') => { process.kill(ready.pid, signal); await ended; } };
}

/** Serves a store on ports that the system chooses, unless `http` names another address. */
export const serve = (command, store, http = '127.0.0.1:0', ...more) => start(command, store, 'serve', '--http', http, '--binary', '127.0.0.1:0', ...more);
