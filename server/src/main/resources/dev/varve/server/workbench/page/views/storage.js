// SPDX-License-Identifier: Apache-2.0
import { getJson } from '../data/api.js';
import { el, replace, svg } from '../drawing/dom.js';
import { number, size } from '../drawing/text.js';
import { load } from '../shell/states.js';

const PERIOD_MS = 2_000;

/**
 * What the store takes, what that saves, and how the service is doing.
 *
 * @param {import('./views.js').Place} place
 */
export function storage({ host, scope }) {
  document.title = 'Storage · Varve';
  void load(host, scope.signal, () => read(scope.signal), (facts) => {
    show(host, facts);
    const timer = setInterval(() => { read(scope.signal).then((now) => show(host, now), () => {}); }, PERIOD_MS);
    scope.onend(() => clearInterval(timer));
  });
}

/** @param {AbortSignal} signal */
async function read(signal) {
  const [metrics, health, errors] = await Promise.all([getJson('v1/metrics', signal), getJson('health', signal), getJson('v1/errors?limit=10', signal)]);
  return { metrics, health, errors: errors.errors ?? [] };
}

/**
 * @param {HTMLElement} host
 * @param {{metrics: any, health: any, errors: any[]}} facts
 */
function show(host, { metrics, health, errors }) {
  const { storage: disk, objects, perf } = metrics;
  const scroll = host.scrollTop;
  const saved = disk.blobs_raw_bytes > 0 ? 100 - Math.round((100 * disk.blobs_stored_bytes) / disk.blobs_raw_bytes) : 0;
  const files = [['blobs', disk.blobs_pack_bytes], ['index of blobs', disk.blobs_index_bytes], ['turns', disk.turns_log_bytes], ['what turns carry', disk.turns_meta_bytes], ['index of turns', disk.turns_index_bytes], ['heads', disk.heads_table_bytes]]
    .map(([name, bytes]) => ({ name: String(name), bytes: Number(bytes ?? 0) }));
  const most = Math.max(1, ...files.map((file) => file.bytes));
  replace(host, el('div', { class: 'padded storage' },
    el('h1', {}, 'Storage'),
    el('div', { class: 'cards' },
      card('health', String(health.status ?? 'unknown'), `up for ${duration(metrics.uptime_seconds)}`),
      card('contexts', number(objects.contexts_total), ''), card('turns', number(objects.turns_total), ''), card('blobs', number(objects.blobs_total), 'each kept once'),
      card('content', size(disk.blobs_raw_bytes), 'without what is there twice'),
      card('stored in', size(disk.blobs_stored_bytes), `compression saves ${saved} %`),
      card('on the disk', size(disk.store_bytes), disk.data_dir_free_bytes === null ? '' : `${size(disk.data_dir_free_bytes)} free`),
      card('memory', size(metrics.memory.process_heap_bytes), `of ${size(metrics.memory.budget_bytes)}, ${metrics.memory.pressure_level}`)),
    el('h2', {}, 'Files'),
    el('table', { class: 'bars' }, el('caption', { class: 'unseen' }, 'size of each file of the store'), el('tbody', {}, ...files.map((file) => el('tr', {}, el('th', { scope: 'row' }, file.name), el('td', {}, size(file.bytes)), el('td', { class: 'bar' }, bar(file.bytes / most)))))),
    el('h2', {}, 'The last half minute, requests a second'),
    el('div', { class: 'charts' }, ...[['append', 'appends'], ['get_last', 'reads'], ['get_blob', 'blobs'], ['http_req', 'over HTTP'], ['http_errors', 'refusals']].map(([key, name]) => chart(String(name), perf[`${key}_tps_history`] ?? []))),
    el('h2', {}, 'Latency'),
    el('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'latency' }, el('table', {}, el('thead', {}, el('tr', {}, ...['', 'median', '95 of 100', '99 of 100', 'longest', 'count'].map((name) => el('th', { scope: 'col' }, name)))), el('tbody', {}, ...[['append', 'append'], ['get_last', 'read'], ['get_blob', 'blob'], ['http', 'HTTP']].map(([key, name]) => {
      const latency = perf[`${key}_latency_ms`];
      return el('tr', {}, el('th', { scope: 'row' }, String(name)), ...['p50', 'p95', 'p99', 'max'].map((part) => el('td', {}, latency[part] === null ? '–' : `${latency[part].toFixed(2)} ms`)), el('td', {}, number(latency.count)));
    })))),
    el('h2', {}, 'Refusals and failures'),
    errors.length === 0 ? el('p', { class: 'quiet' }, 'none since the service began') : el('ul', {}, ...errors.map((each) => el('li', {}, el('code', {}, `${each.status_code} ${each.path ?? each.kind}`), ` ${each.message}`)))));
  host.scrollTop = scroll;
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} more
 */
function card(name, value, more) {
  return el('div', { class: 'card' }, el('div', { class: 'quiet' }, name), el('div', { class: 'figure' }, value), more === '' ? null : el('div', { class: 'quiet' }, more));
}

/** @param {number} part of 1 */
function bar(part) {
  return svg('svg', { viewBox: '0 0 100 6', preserveAspectRatio: 'none', class: 'bar-line', 'aria-hidden': 'true' }, svg('rect', { x: 0, y: 0, width: Math.max(part * 100, 0.5), height: 6 }));
}

/**
 * @param {string} name
 * @param {number[]} counts a second each
 */
function chart(name, counts) {
  const most = Math.max(1, ...counts);
  const points = counts.map((count, i) => `${(i * 100) / Math.max(1, counts.length - 1)},${30 - (28 * count) / most}`).join(' ');
  return el('figure', {}, svg('svg', { viewBox: '0 0 100 31', preserveAspectRatio: 'none', class: 'chart', role: 'img', 'aria-label': `${name}: at most ${Math.max(0, ...counts)} in a second` }, svg('polyline', { points })), el('figcaption', {}, `${name}, at most ${number(Math.max(0, ...counts))}`));
}

/** @param {number} seconds */
function duration(seconds) {
  if (seconds < 120) return `${Math.floor(seconds)} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} days`;
}
