// SPDX-License-Identifier: Apache-2.0
//
// Compares the mutants that no test killed with those that the page lists: mutants.mjs MUTATIONS.xml ROOM PAGE
// A mutant is known by its class, its method and what was done to it, since numbers of lines drift. Fails if one is not listed.
import { readFileSync } from 'node:fs';

const [report, room, page] = process.argv.slice(2);

const text = (xml, tag) =>
  (xml.match(new RegExp(`<${tag}>([^<]*)</${tag}>`)) ?? ['', ''])[1]
    .replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&#39;', "'").replaceAll('&amp;', '&');

/** A mutant as the page names it: `Class#method | what was done`. */
function named(xml) {
  const place = text(xml, 'mutatedClass').replace(/^.*\./, '').replaceAll('$', '.');
  const method = text(xml, 'mutatedMethod').replace(/^lambda\$(.*)\$\d+$/, '$1').replace('<init>', 'new');
  const what = text(xml, 'description').replace(/ for \S+::\S+$/, '').replace(/(?:\w+\/)+/g, '');
  return `${place}#${method} | ${what}`;
}

const counted = (names) => names.reduce((all, name) => all.set(name, (all.get(name) ?? 0) + 1), new Map());

const all = readFileSync(report, 'utf8').match(/<mutation [\s\S]*?<\/mutation>/g) ?? [];
if (all.length === 0) {
  console.error(`${room}: no mutants in ${report}`);
  process.exit(1);
}
const alive = all.filter((xml) => /status='(SURVIVED|NO_COVERAGE)'/.test(xml));
const survivors = counted(alive.map(named));

const chapter = readFileSync(page, 'utf8').split(/^## /m).find((part) => part.startsWith(`${room}\n`)) ?? '';
const listed = new Map();
for (const line of chapter.split('\n')) {
  const row = line.match(/^\| `([^`]+)` \| ([^|]+?) \| (\d+) \| [^|]+ \|$/);
  if (row) {
    listed.set(`${row[1]} | ${row[2]}`, Number(row[3]));
  }
}

console.log(`${room}: ${all.length} mutants, ${all.length - alive.length} killed, ${alive.length} survive`);
for (const name of listed.keys()) {
  if ((survivors.get(name) ?? 0) < listed.get(name)) {
    console.log(`listed ${listed.get(name)} times, survives ${survivors.get(name) ?? 0} times: ${name}`);
  }
}
let unlisted = 0;
for (const [name, count] of survivors) {
  if (count > (listed.get(name) ?? 0)) {
    unlisted++;
    const lines = alive.filter((xml) => named(xml) === name).map((xml) => text(xml, 'lineNumber'));
    console.log(`not listed ${count - (listed.get(name) ?? 0)} times: ${name} (line ${lines.join(', ')})`);
  }
}
process.exit(unlisted > 0 ? 1 : 0);
