// SPDX-License-Identifier: Apache-2.0
//
// Usage: node conversation.js URL
//
// Writes a conversation with the generated client and reads it again.
import { Configuration, ContextsApi } from './index.js';

declare const process: { argv: string[] };

function expect(what: string, wanted: unknown, found: unknown): void {
  if (JSON.stringify(wanted) !== JSON.stringify(found)) {
    throw new Error(`${what}: expected ${JSON.stringify(wanted)}, found ${JSON.stringify(found)}`);
  }
}

async function main(basePath: string): Promise<void> {
  const contexts = new ContextsApi(new Configuration({ basePath }));
  const made = await contexts.createContext();
  const id = String(made.contextId);
  const data = { text: 'from TypeScript' };
  const appended = await contexts.appendTurn({ id, newTurn: { typeId: 'note', typeVersion: 1, data } });
  const [turn] = (await contexts.listTurns({ id, limit: 10 })).turns;
  expect('the turn', appended.turnId, turn?.turnId);
  expect('its payload', data, turn?.data);
  expect('a time of today', true, Math.abs(Date.now() - made.createdAtUnixMs) < 86_400_000);
  console.log('the generated client in TypeScript: a conversation written and read');
}

await main(process.argv[2]!);
