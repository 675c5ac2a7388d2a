// SPDX-License-Identifier: Apache-2.0

// Runs scenarios in the versions of Pi that PI_VERSIONS names, one after the other, and tells which failed.
// usage: run.mjs [part of a name …]

import { Stage } from "./stage.mjs";

const files = ["points", "journeys", "accidents", "surroundings", "folders", "keeping"];
const wanted = process.argv.slice(2);
const versions = (process.env.PI_VERSIONS ?? "new old").split(" ");
let count = 0;
const failed = [];

for (const file of files) {
  const scenarios = await import(`./${file}.mjs`);
  for (const [name, scenario] of Object.entries(scenarios)) {
    if (wanted.length > 0 && !wanted.some((word) => name.toLowerCase().includes(word.toLowerCase()))) continue;
    for (const version of versions) {
      const stage = new Stage(version, name);
      const began = performance.now();
      count++;
      try {
        await scenario(stage);
        await stage.end();
        console.log(`ok      ${version}  ${name}  ${Math.round(performance.now() - began)} ms`);
      } catch (e) {
        await stage.abandon();
        failed.push(`${version} ${name}`);
        console.log(`FAILED  ${version}  ${name}\n${e.stack}\n  said: ${JSON.stringify(stage.started.flatMap((pi) => pi.notices))}`);
      }
    }
  }
}
console.log(failed.length === 0 ? `${count} scenarios as they should be in ${versions.join(" and ")}` : `FAILED ${failed.length} of ${count}:\n${failed.join("\n")}`);
process.exitCode = failed.length === 0 && count > 0 ? 0 : 1;
