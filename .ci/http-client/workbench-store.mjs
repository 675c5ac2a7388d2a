// SPDX-License-Identifier: Apache-2.0
//
// Fills a store, over HTTP, with what the workbench has to show: a long conversation, forks, files, an agent's typed
// items, and content that wants to be more than text. What is too much for requests is written as files to import.
import fs from 'node:fs';
import { blake3 } from '@noble/hashes/blake3';

export const LONG = 10_000;
const FORKS = 600;
export const SIBLINGS = 100_000;
export const LINE_CHARACTERS = 20_000_000;

/** @param {string} url */
export function writer(url) {
  const send = async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, { method, body, headers });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const post = (path, value) => send('POST', path, JSON.stringify(value), { 'content-type': 'application/json' });
  const turn = (data, type = 'demo.Message', more = {}) => ({ type_id: type, type_version: 1, encoding: 2, data, ...more });
  return {
    context: async (base) => (await post('/v1/contexts', base === undefined ? {} : { base_turn_id: base })).context_id,
    append: (context, data, type, more) => post(`/v1/contexts/${context}/append`, turn(data, type, more)),
    bytes: (context, base64) => post(`/v1/contexts/${context}/append`, { type_id: 'broken', type_version: 1, payload_base64: base64 }),
    batch: (context, list) => post(`/v1/contexts/${context}/append-batch`, { turns: list.map((data) => turn(data)) }),
    remove: (turnId) => send('DELETE', `/v1/turns/${turnId}`),
    blob: async (bytes) => {
      const hash = Buffer.from(blake3(bytes)).toString('hex');
      await send('PUT', `/v1/blobs/${hash}`, bytes, { 'content-type': 'application/octet-stream' });
      return hash;
    },
  };
}

/** A folder in the bytes of docs/format/tree.md. */
function tree(entries) {
  const parts = [Buffer.from([0x90 + entries.length])];
  for (const { name, kind, mode, size, hash } of entries) {
    const sizeBytes = Buffer.alloc(8);
    sizeBytes.writeBigUInt64BE(BigInt(size));
    const modeBytes = Buffer.alloc(4);
    modeBytes.writeUInt32BE(mode);
    const key = (digit) => Buffer.from([0xa1, 0x30 + digit]);
    parts.push(Buffer.from([0x85]), key(1), Buffer.from([0xa0 + Buffer.byteLength(name)]), Buffer.from(name), key(2), Buffer.from([0xcc, kind]),
      key(3), Buffer.from([0xce]), modeBytes, key(4), Buffer.from([0xcf]), sizeBytes, key(5), Buffer.from([0xc4, 0x20]), Buffer.from(hash, 'hex'));
  }
  return Buffer.concat(parts);
}

/** Stores a folder of texts, one level deep where a name has a slash. */
async function folder(to, files) {
  const entries = [];
  const below = new Map();
  for (const [name, text] of Object.entries(files)) {
    const [first, rest] = name.split('/');
    if (rest !== undefined) {
      below.set(first, { ...below.get(first), [rest]: text });
    } else {
      entries.push({ name, kind: 0, mode: 0o644, size: Buffer.byteLength(text), hash: await to.blob(Buffer.from(text)) });
    }
  }
  for (const [name, inner] of below) entries.push({ name, kind: 1, mode: 0o755, size: 0, hash: await folder(to, inner) });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return to.blob(tree(entries));
}

/** Turns as importers make them of the records of agents: each calls a tool, and has its result in the agent's own form. */
async function agents(to) {
  const context = await to.context();
  const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==';
  const turns = [
    ['claude-code.user', { type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'ask of Claude Code' }, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } }] }, context_metadata: { title: 'Agents of all kinds' } }],
    ['claude-code.assistant', { type: 'assistant', message: { model: 'any', content: [{ type: 'thinking', thinking: 'a thought of Claude Code' }, { type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'false' } }, { type: 'tool_use', id: 'c2', name: 'Edit', input: { file_path: 'a', old_string: 'was', new_string: 'is' } }] } }],
    ['claude-code.user', { type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', is_error: true, content: 'Exit code 3\nno luck' }] } }],
    ['claude-code.user', { type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c2', content: 'updated' }] }, toolUseResult: { filePath: 'a', structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-patched was', '+patched is'] }] } }],
    ['claude-code.system', { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', compactMetadata: { preTokens: 12_345 } }],
    ['codex.reasoning', { type: 'response_item', payload: { type: 'reasoning', summary: [{ type: 'summary_text', text: 'a thought of Codex' }] } }],
    ['codex.function_call', { type: 'response_item', payload: { type: 'function_call', name: 'shell', call_id: 'x1', arguments: '{"command":"true"}' } }],
    ['codex.function_call_output', { type: 'response_item', payload: { type: 'function_call_output', call_id: 'x1', output: '{"output":"out of Codex","metadata":{"exit_code":0}}' } }],
    ['codex.compacted', { type: 'compacted', payload: { message: 'a summary of Codex' } }],
    ['gemini.assistant', { type: 'gemini', content: 'said by Gemini', thoughts: [{ subject: 'Plan', description: 'a thought of Gemini' }], toolCalls: [{ id: 'g1', name: 'run', args: { a: 'b' }, status: 'success', result: [{ functionResponse: { id: 'g1', name: 'run', response: { output: 'Output: out of Gemini\nExit Code: 4' } } }] }] }],
    ['qwen.assistant', { type: 'assistant', message: { role: 'model', parts: [{ text: 'a thought of Qwen', thought: true }, { functionCall: { id: 'q1', name: 'read', args: {} } }] } }],
    ['qwen.result', { type: 'tool_result', message: { role: 'user', parts: [{ functionResponse: { id: 'q1', name: 'read', response: { output: 'out of Qwen' } } }] } }],
    ['opencode.tool', { type: 'tool', tool: 'bash', callID: 'o1', state: { status: 'completed', input: { command: 'ls' }, output: 'out of opencode', metadata: { exit: 5 } } }],
    ['cline.assistant', { role: 'assistant', content: [{ type: 'tool_use', id: 'l1', name: 'read_file', input: { path: 'a' } }] }],
    ['cline.user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'l1', content: [{ type: 'text', text: 'out of Cline' }] }] }],
  ];
  for (const [type, data] of turns) await to.append(context, data, type);
  return context;
}

/** @returns what was made: numbers of contexts and turns */
export async function fill(url) {
  const to = writer(url);
  const made = {};
  made.long = await to.context();
  for (let from = 0; from < LONG; from += 250) {
    await to.batch(made.long, Array.from({ length: 250 }, (_, i) => ({
      role: (from + i) % 2 === 0 ? 'user' : 'assistant',
      text: `message ${from + i}\n\n${'some *words* of Markdown, '.repeat((from + i) % 7)}`,
      ...(from + i === 0 ? { context_metadata: { title: 'A long conversation', labels: ['long', 'demo'] } } : {}),
    })));
  }

  made.hostile = await to.context();
  const evil = '<script>window.pwned = 1</script><img src=x onerror="window.pwned=1"><svg onload="window.pwned=1"><script>window.pwned=1</script></svg>';
  await to.append(made.hostile, { role: 'user', text: `${evil}\n\n[click](javascript:window.pwned=1) [data](data:text/html,<script>) <a href="javascript:window.pwned=1">x</a>\n\n![p](https://elsewhere.example/p.png)\n\n<iframe src="https://elsewhere.example"></iframe>`, context_metadata: { title: `hostile ${evil}`, labels: [evil, '\u202Egnp.exe'] } });
  await to.append(made.hostile, { role: 'assistant', text: 'before \u202E reversed \u2066 isolated \u0007 bell \u001b[31mred\u001b[0m' });
  await to.append(made.hostile, { type: 'message', message: { role: 'toolResult', toolCallId: 'x', toolName: evil, content: [{ type: 'text', text: `\u001b[31mred\u001b[0m \u001b]8;;javascript:alert(1)\u0007link\u001b]8;;\u0007 ${evil}` }, { type: 'image', mimeType: 'image/svg+xml', data: Buffer.from('<svg onload="window.pwned=1"/>').toString('base64') }] } }, 'pi.message');
  await to.append(made.hostile, { role: 'user', text: '> '.repeat(5_000) + 'deep' });
  for (const slow of ['*a ', '[a](<', '**a_', '_']) await to.append(made.hostile, { role: 'user', text: slow.repeat(10_000) });
  await to.append(made.hostile, { role: 'user', content: { '__proto__x': evil, constructor: evil } });
  await to.bytes(made.hostile, 'wcHBwcE=');
  made.hostileEnd = (await to.append(made.hostile, { role: 'user', text: 'the end of what is hostile' })).turn_id;

  made.tools = await to.context();
  const rootOne = await folder(to, { 'readme.txt': 'one\ntwo\nthree\n', 'src/Main.java': 'class Main {}\n', 'evil.svg': '<svg xmlns="http://www.w3.org/2000/svg" onload="window.pwned=1"/>' });
  const rootTwo = await folder(to, { 'readme.txt': 'one\n2\nthree\n', 'src/Main.java': 'class Main {}\n', 'new.txt': 'new\n' });
  const item = 'cxdb.ConversationItem';
  await to.append(made.tools, { item_type: 'user_input', status: 'complete', user_input: { text: 'Please **fix** the test' }, context_metadata: { title: 'Tools at work', client_tag: 'demo' } }, item);
  made.blob = await to.blob(Buffer.from('the bytes of a blob\n'));
  made.filesOne = (await to.append(made.tools, { item_type: 'assistant_turn', turn: { text: 'I look.', reasoning: 'a thought', tool_calls: [{ id: 't1', name: 'bash', args: '{"command":"make test"}', result: { content: 'FAILED\n', success: false, exit_code: 2 } }] } }, item, { fs_root_hash: rootOne })).turn_id;
  const shared = (await to.append(made.tools, { item_type: 'tool_call', tool_call: { call_id: 't2', name: 'edit', args: '{"path":"readme.txt","old_string":"two","new_string":"2"}' } }, item)).turn_id;
  made.shared = shared;
  await to.append(made.tools, { item_type: 'tool_result', tool_result: { call_id: 't2', content: '--- a\n+++ b\n@@ -1 +1 @@\n-two\n+2', is_error: false } }, item);
  made.filesTwo = (await to.append(made.tools, { item_type: 'assistant', assistant: { text: 'Done.' } }, item, { fs_root_hash: rootTwo })).turn_id;
  made.fork = await to.context(shared);
  await to.append(made.fork, { role: 'assistant', text: 'another way' });
  await to.append(made.fork, { role: 'assistant', text: 'to the same end' });
  made.marked = await to.context();
  await to.append(made.marked, { role: 'user', text: 'something long', context_metadata: { title: 'A conversation with marks' } });
  await to.append(made.marked, { type: 'compaction', summary: 'it was long', tokensBefore: 9_000 }, 'pi.compaction');
  made.agent = await to.context();
  await to.append(made.agent, { role: 'user', text: 'look around', context_metadata: { title: `survey ${evil} \u202E`, provenance: { parent_context_id: Number(made.marked), spawn_reason: 'sub_agent' } } });
  for (let i = 0; i < 5; i++) await to.append(made.marked, { role: 'assistant', text: `step ${i}` }, undefined, { fs_root_hash: i % 2 === 0 ? rootOne : rootTwo });
  made.agents = await agents(to);
  made.empty = await to.context();
  const discarded = await to.context();
  await to.remove((await to.append(discarded, { role: 'user', text: 'this was deleted', context_metadata: { title: 'A deleted turn' } })).turn_id);
  const origin = made.hostileEnd;
  for (let i = 0; i < FORKS; i++) await to.context(origin);
  made.contexts = 9 + FORKS;
  return made;
}

/** A session of Pi in which somebody went back to the first message again and again. */
export function broadSession(file) {
  const timestamp = '2026-01-01T00:00:00.000Z';
  const entry = (id, parentId, content) => ({ type: 'message', id, parentId, timestamp, message: { role: 'user', content, timestamp: 0 } });
  const lines = [{ type: 'session', version: 3, id: '00000000-0000-4000-8000-000000000001', timestamp, cwd: '/somewhere' }, entry('origin00', null, 'the origin of many')];
  for (let i = 1; i <= SIBLINGS; i++) lines.push(entry(i.toString(16).padStart(8, '0'), 'origin00', `sibling ${i}`));
  fs.writeFileSync(file, `${lines.map((each) => JSON.stringify(each)).join('\n')}\n`);
}

/** A conversation with a line that is longer than a request may be. */
export function longLine(file) {
  const lines = [{ role: 'user', text: 'x'.repeat(LINE_CHARACTERS) }, { role: 'assistant', text: 'behind the long line' }];
  fs.writeFileSync(file, `${lines.map((each) => JSON.stringify(each)).join('\n')}\n`);
}
