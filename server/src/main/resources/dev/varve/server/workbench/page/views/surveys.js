// SPDX-License-Identifier: Apache-2.0
import { begin } from '../data/surveys.js';
import { el, replace } from '../drawing/dom.js';
import { spaceShares } from '../drawing/space-shares.js';
import { number, oneLine, size, time } from '../drawing/text.js';
import { failure } from '../shell/states.js';

/**
 * @typedef {import('../data/surveys.js').Surveys} Surveys
 * @typedef {import('../data/surveys.js').SurveyName} SurveyName
 * @typedef {import('../drawing/dom.js').Child} Child
 * @typedef {{turns_total: number}} Objects
 * @typedef {{blobs_raw_bytes: number, store_bytes: number}} Disk
 */

/**
 * The surveys of the whole store: each begins with a button, and its last result stays until the next.
 *
 * @param {AbortSignal} signal
 * @returns {{element: HTMLElement, show: (surveys: Surveys, objects: Objects, disk: Disk) => void}}
 */
export function surveysPanel(signal) {
  /** @type {{surveys: Surveys, objects: Objects, disk: Disk} | null} */
  let known = null;
  const space = part('space', 'What takes the space', 'Count');
  const garbage = part('garbage', 'What a garbage collection would free', 'Forecast');
  const check = part('check', 'The last check', 'Check');
  return { element: el('div', {}, space.section, garbage.section, check.section), show };

  /** @param {SurveyName} name @param {string} title @param {string} does */
  function part(name, title, does) {
    const said = el('p', { class: 'quiet' });
    const button = el('button', { type: 'button', class: 'begin', onclick: () => void start(name) }, does);
    const status = el('div', { role: 'status' });
    const result = el('div');
    return { section: el('section', { class: 'survey', 'data-survey': name }, el('h2', {}, title), said, button, status, result), said, button, status, result, title, does, drawn: '' };
  }

  /** @param {SurveyName} name */
  async function start(name) {
    try {
      const surveys = await begin(name, signal);
      if (known !== null) show(surveys, known.objects, known.disk);
    } catch (error) {
      if (!signal.aborted) replace({ space, garbage, check }[name].status, failure(error));
    }
  }

  /** @param {Surveys} surveys @param {Objects} objects @param {Disk} disk */
  function show(surveys, objects, disk) {
    known = { surveys, objects, disk };
    const turns = `${number(objects.turns_total)} turn${objects.turns_total === 1 ? '' : 's'}`;
    draw(space, surveys.space, objects, `Reads the header of each of ${turns}, each description and each folder of attached files, but no payload.`, (found) => spaceShares(found, disk.blobs_raw_bytes));
    draw(garbage, surveys.garbage, objects, `Reads the store as varve gc --dry-run does, and erases nothing. ${size(disk.store_bytes)} are on the disk.`, garbageFound);
    draw(check, surveys.check, objects, `Reads and verifies every byte of the store, ${size(disk.store_bytes)}, as varve check does.`, checkFound);
  }

  /**
   * @template {import('../data/surveys.js').Result} R
   * @param {ReturnType<typeof part>} place
   * @param {import('../data/surveys.js').Survey<R>} survey
   * @param {Objects} objects
   * @param {string} cost
   * @param {(found: R) => Node} result
   */
  function draw(place, survey, objects, cost, result) {
    const { last } = survey;
    replace(place.said, ...(last === undefined ? ['Not done since the service began. '] : ['Done ', time(last.ended_at_unix_ms), later(objects.turns_total - last.store_turns), '. ']), cost, ' It goes on beside all other work and takes a quarter of one processor at most.');
    place.button.disabled = survey.running;
    const words = last === undefined ? place.does : `${place.does} again`;
    place.button.textContent = words;
    place.button.setAttribute('aria-label', `${words}: ${place.title.toLowerCase()}`);
    if (survey.running) {
      const percent = survey.total > 0 ? Math.min(99, Math.floor((100 * survey.done) / survey.total)) : 0;
      replace(place.status, el('progress', { max: 100, value: percent, 'aria-label': place.does }), ` ${percent} %`);
    } else {
      replace(place.status, survey.failure === undefined ? null : el('p', { class: 'trouble' }, oneLine(survey.failure, 500)));
    }
    const key = JSON.stringify(last ?? null); // drawn again only if there is another result: someone may be reading
    if (key !== place.drawn) {
      place.drawn = key;
      replace(place.result, last === undefined ? null : result(last));
    }
  }
}

/** @param {number} turns */
function later(turns) {
  return turns > 0 ? `, ${number(turns)} turn${turns === 1 ? '' : 's'} ago` : '';
}

/** @param {import('../data/surveys.js').Garbage} found */
function garbageFound(found) {
  return el('p', {}, found.blobs === 0
    ? 'Nothing: no payload is hidden by a patch or a tombstone alone.'
    : el('span', {}, el('strong', {}, size(found.pack_bytes)), ` on the disk: ${number(found.blobs)} blob${found.blobs === 1 ? '' : 's'} of ${size(found.raw_bytes)}, which a patch or a tombstone hides at ${number(found.turns)} turn${found.turns === 1 ? '' : 's'}. What a hold needs stays. The command `, el('code', {}, 'varve gc'), ' frees them.'));
}

/** @param {import('../data/surveys.js').Check} found */
function checkFound(found) {
  const read = `${number(found.blobs)} blobs, ${number(found.turns)} turns and ${number(found.contexts)} contexts were read.`;
  if (found.sound) return el('p', {}, el('strong', { class: 'good' }, 'Sound. '), read);
  return el('div', {}, el('p', { class: 'trouble' }, `${number(found.problem_count)} problem${found.problem_count === 1 ? '' : 's'}. ${read}`),
    el('ul', {}, ...found.problems.map((each) => el('li', {}, el('code', {}, `${each.file} at ${number(each.offset)}`), ` ${oneLine(each.what, 300)}${each.derived ? ' (nothing is lost: varve check --rebuild makes this file again)' : ''}`))),
    found.problem_count > found.problems.length ? el('p', { class: 'quiet' }, `The first ${number(found.problems.length)} are listed; varve check lists all.`) : null);
}
