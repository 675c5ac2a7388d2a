// SPDX-License-Identifier: Apache-2.0
import { ApiError, ask, getJson } from '../data/api.js';
import { bar, card, chart } from '../drawing/charts.js';
import { el, replace } from '../drawing/dom.js';
import { number, size, visible } from '../drawing/text.js';
import { load } from '../shell/states.js';
import { surveysPanel } from './surveys.js';

const PERIOD_MS = 2_000;

/** The age from which on numbers are called old although the service has not refused anything. */
const OLD_MS = 10_000;

/** What is measured, by its name in the metrics, and its latency there. */
const OPERATIONS = [
  { key: 'append', latency: 'append', name: 'appends' },
  { key: 'get_last', latency: 'get_last', name: 'reads' },
  { key: 'get_blob', latency: 'get_blob', name: 'blobs' },
  { key: 'http_req', latency: 'http', name: 'all over HTTP' },
];

/**
 * What the store takes, what that saves, and how the service is doing. Numbers that cost a reading of the store come on demand.
 *
 * @param {import('./views.js').Place} place
 */
export function storage({ host, scope }) {
  document.title = 'Storage · Varve';
  const facts = el('div');
  const activity = el('div');
  const age = el('div', { role: 'status' });
  const surveys = surveysPanel(scope.signal);
  void load(host, scope.signal, () => read(scope.signal), (first) => {
    replace(host, el('div', { class: 'padded storage' }, el('h1', {}, 'Storage'), age, facts, surveys.element, activity));
    const show = (/** @type {Facts} */ now) => {
      replace(facts, ...storeFacts(now));
      surveys.show(now.surveys, now.metrics.objects, now.metrics.storage);
      replace(activity, ...serviceActivity(now));
    };
    show(first);
    let shownAt = new Date();
    let isAsking = false;
    let said = '';
    const say = (/** @type {string} */ why) => {
      if (why === said) return; // what was said once is not said again every two seconds
      said = why;
      replace(age, why === '' ? null : el('p', { class: 'trouble', 'data-state': 'old' }, 'These numbers are old: they are those of ', el('time', { datetime: shownAt.toISOString() }, shownAt.toLocaleTimeString('en-GB')), `. ${why}`));
    };
    const timer = setInterval(() => {
      if (isAsking) {
        if (Date.now() - shownAt.getTime() > OLD_MS) say('The service takes longer than usual to answer.');
        return;
      }
      isAsking = true;
      read(scope.signal).then((now) => {
        shownAt = new Date();
        say('');
        show(now);
      }, (error) => {
        if (!scope.signal.aborted) say(visible(error instanceof ApiError && error.status !== 0 ? `The service answered: ${error.message}` : 'The service does not answer.'));
      }).finally(() => { isAsking = false; });
    }, PERIOD_MS);
    scope.onend(() => clearInterval(timer));
  });
}

/** @typedef {{metrics: any, health: any, errors: any[], surveys: import('../data/surveys.js').Surveys}} Facts */

/**
 * @param {AbortSignal} signal
 * @returns {Promise<Facts>}
 */
async function read(signal) {
  const health = ask('health', { signal, answer: 503 }).then((response) => response.json());
  const [metrics, errors, surveys, state] = await Promise.all([getJson('v1/metrics', signal), getJson('v1/errors?limit=10', signal), getJson('v1/surveys', signal), health]);
  return { metrics, health: state, errors: errors.errors ?? [], surveys };
}

/** @param {Facts} facts */
function storeFacts({ metrics, health }) {
  const { storage: disk, objects } = metrics;
  const saved = disk.blobs_raw_bytes > 0 ? 100 - Math.round((100 * disk.blobs_stored_bytes) / disk.blobs_raw_bytes) : 0;
  const files = [['blobs', disk.blobs_pack_bytes], ['index of blobs', disk.blobs_index_bytes], ['turns', disk.turns_log_bytes], ['what turns carry', disk.turns_meta_bytes], ['index of turns', disk.turns_index_bytes], ['heads', disk.heads_table_bytes]]
    .filter(([, bytes]) => bytes !== null)
    .map(([name, bytes]) => ({ name: String(name), bytes: Number(bytes) }));
  const most = Math.max(1, ...files.map((file) => file.bytes));
  return [
    el('div', { class: 'cards' },
      card('health', health.status === 'ok' ? 'ok' : 'writes are refused', health.status === 'ok' ? `up for ${duration(metrics.uptime_seconds)}` : visible(String(health.reason ?? '')), health.status === 'ok' ? '' : 'bad'),
      card('contexts', number(objects.contexts_total)), card('turns', number(objects.turns_total)), card('blobs', number(objects.blobs_total), 'each kept once'),
      card('content', size(disk.blobs_raw_bytes), 'without what is there twice'),
      card('stored in', size(disk.blobs_stored_bytes), `compression saves ${saved} %`),
      card('on the disk', size(disk.store_bytes), disk.data_dir_free_bytes === null ? '' : `${size(disk.data_dir_free_bytes)} free`),
      card('memory', size(metrics.memory.process_heap_bytes), `of ${size(metrics.memory.budget_bytes)}, ${metrics.memory.pressure_level}`)),
    files.length === 0 ? null : el('h2', {}, 'Files'),
    files.length === 0 ? null : el('table', { class: 'bars' }, el('caption', { class: 'unseen' }, 'size of each file of the store'), el('tbody', {}, ...files.map((file) => el('tr', {}, el('th', { scope: 'row' }, file.name), el('td', {}, size(file.bytes)), el('td', { class: 'bar' }, bar(file.bytes / most)))))),
  ];
}

/** @param {Facts} facts */
function serviceActivity({ metrics: { perf }, errors }) {
  const millis = (/** @type {number} */ most) => `${most < 10 ? most.toFixed(2) : Math.round(most)} ms`;
  return [
    el('h2', {}, 'The last half minute: requests a second'),
    el('div', { class: 'charts' }, ...[...OPERATIONS, { key: 'http_errors', name: 'refusals' }].map(({ key, name }) => chart(name, perf[`${key}_tps_history`] ?? [], number))),
    el('h2', {}, 'The last half minute: the slowest request of each second'),
    el('div', { class: 'charts' }, ...OPERATIONS.map(({ key, name }) => chart(name, perf[`${key}_slowest_ms_history`] ?? [], millis))),
    el('h2', {}, 'Latency of the last requests'),
    el('div', { class: 'across', tabindex: 0, role: 'region', 'aria-label': 'latency' }, el('table', { class: 'numbers' }, el('thead', {}, el('tr', {}, el('td'), ...['median', '95 of 100', '99 of 100', 'longest', 'count'].map((name) => el('th', { scope: 'col' }, name)))), el('tbody', {}, ...OPERATIONS.map(({ latency: key, name }) => {
      const latency = perf[`${key}_latency_ms`];
      return el('tr', {}, el('th', { scope: 'row' }, name), ...['p50', 'p95', 'p99', 'max'].map((part) => el('td', {}, latency[part] === null ? '–' : `${latency[part].toFixed(2)} ms`)), el('td', {}, number(latency.count)));
    })))),
    el('h2', {}, 'Refusals and failures'),
    errors.length === 0 ? el('p', { class: 'quiet' }, 'none since the service began') : el('ul', {}, ...errors.map((each) => el('li', {}, el('code', {}, visible(`${each.status_code} ${each.path ?? each.kind}`)), ` ${visible(each.message)}`))),
  ];
}

/** @param {number} seconds */
function duration(seconds) {
  if (seconds < 120) return `${Math.floor(seconds)} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} days`;
}
