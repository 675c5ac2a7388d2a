// SPDX-License-Identifier: Apache-2.0

// How much later a prompt of six turns ends because of Rewind, in a repository of 20,000 files, with a model that takes a second to
// answer. Each turn writes one file. Prompts with and without it take turns, so that a busy machine harms both alike.
// Prints JSON, times in milliseconds. Decides nothing.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DONE, script, slowly, write } from "./pi.mjs";
import { Stage } from "./stage.mjs";

const RUNS = Number(process.env.RUNS ?? 5);
const TURNS = 6;
const THINK_MS = 1000;
// Git is not to collect in the background while the repository is made: it would stand in its own way.
const QUIET = { GIT_CONFIG_COUNT: "2", GIT_CONFIG_KEY_0: "gc.auto", GIT_CONFIG_VALUE_0: "0", GIT_CONFIG_KEY_1: "maintenance.auto", GIT_CONFIG_VALUE_1: "false" };

const stages = { without: new Stage("new", "speed-without"), with: new Stage("new", "speed-with").install() };
const made = process.env.REPO20K ?? join(process.env.WORK, "repo20k");
if (!existsSync(made)) {
  execFileSync("bash", [join(process.env.LAB, "mkrepo20k.sh"), made], { env: { ...stages.with.env, ...QUIET }, stdio: ["ignore", "inherit", "inherit"] });
}
const pis = {};
for (const [name, stage] of Object.entries(stages)) {
  stage.sh(`rm -rf repo && cp -a '${made}' repo`, stage.folder);
  pis[name] = stage.pi();
  await pis[name].prompt(prompt("warm"));
}

function prompt(name) {
  const steps = Array.from({ length: TURNS - 1 }, (_, i) => slowly(THINK_MS, write(`src/pkg00/new-${i}.txt`, `${name} ${i}\n`)));
  return script(name, ...steps, { ...DONE, delayMs: THINK_MS });
}

const took = { without: [], with: [] };
for (let run = 0; run < RUNS; run++) {
  for (const [name, pi] of Object.entries(pis)) {
    const end = pi.settled();
    const began = performance.now();
    await pi.ask({ type: "prompt", message: prompt(`run ${run}`) });
    await end;
    took[name].push(Math.round(performance.now() - began));
    await pi.idle();
  }
}
for (const stage of Object.values(stages)) await stage.end();
const median = (all) => [...all].sort((a, b) => a - b)[all.length >> 1];
const later = took.with.map((ms, i) => ms - took.without[i]);
console.log(JSON.stringify({ turns: TURNS, think_ms: THINK_MS, files: 20000, ...took, later, median_later: median(took.with) - median(took.without), footer: pis.with.footer }));
