// SPDX-License-Identifier: Apache-2.0

// Where Pi runs: repositories in the middle of something, folders of them, no repository, no engine, hosts that do not answer.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DONE, entriesOf, records, script, shell, step, users, write } from "./pi.mjs";
import { piCommand } from "./stage.mjs";
import { look, repository, status } from "./worktree.mjs";

export async function gitIsLeftAsItIs(stage) {
  stage.install().put("f.txt", "v0\n").put("g.txt", "g\n").commit();
  stage.sh(`
    git checkout -qb side; echo side > f.txt; git commit -qam side; git checkout -q main
    echo stashed > g.txt; git stash -q
    echo main > f.txt; git commit -qam main; git merge side > /dev/null || true
    echo staged > staged.txt; git add staged.txt; echo later >> staged.txt
    git config core.autocrlf true; mkdir -p hooks; printf '#!/bin/sh\nexit 1\n' > hooks/pre-commit; chmod +x hooks/pre-commit; git config core.hooksPath hooks
  `);
  const pi = stage.pi();
  const start = stage.moment();
  const git = stage.repository();
  await pi.prompt(script("P1", step(write("f.txt", "resolved\n"), shell("rm staged.txt; echo n > new.txt")), DONE));
  const after = stage.moment();
  assert.deepEqual(stage.repository(), git, "after a prompt");
  pi.answer("Code only");
  await pi.fork(users(await pi.entries())[0].id);
  stage.same(start, "the conflict is there again");
  assert.deepEqual(stage.repository(), git, "after a restore");
  pi.answer("Undo last file rewind");
  await pi.fork(users(await pi.entries())[0].id);
  stage.same(after, "undone");
  assert.deepEqual(stage.repository(), git, "after an undo");
}

export async function e21_whatTheAgentCommittedStaysCommitted(stage) {
  stage.install().put("f.txt", "v0\n").commit();
  const pi = stage.pi();
  const start = stage.look();
  await pi.prompt(script("P1", step(write("f.txt", "v1\n"), shell("git checkout -qb work; git -c user.name=a -c user.email=a@a commit -qam v1; echo s > s; git add s")), DONE));
  const git = stage.repository();
  pi.answer("Code only");
  await pi.fork(users(await pi.entries())[0].id);
  stage.same(start);
  assert.deepEqual(stage.repository(), git);
}

export async function e2_aSubdirectoryIsNoFence(stage) {
  stage.install().put("f.txt", "v0\n").put("sub/s.txt", "s0\n").put("other/o.txt", "o0\n").commit();
  const pi = stage.piIn(join(stage.repo, "sub"));
  const start = stage.moment();
  await pi.prompt(script("P1", step(write("s.txt", "s1\n"), shell("echo o1 > ../other/o.txt; echo n > ../other/new; rm ../f.txt")), DONE));
  pi.answer("Code only");
  await pi.fork(users(await pi.entries())[0].id);
  stage.same(start);
}

export async function e18_withoutAnIdentityAndBeforeTheFirstCommit(stage) {
  stage.install().put("f.txt", "v0\n");
  const pi = stage.pi();
  const start = stage.moment();
  await pi.prompt(script("P1", step(write("f.txt", "v1\n"), write("g.txt", "g\n")), DONE));
  pi.answer("Code only");
  await pi.fork(users(await pi.entries())[0].id);
  stage.same(start);
}

export async function aLinkedWorktreeHasItsOwnPoints(stage) {
  stage.install().put("f.txt", "v0\n").commit();
  stage.sh("git worktree add -q ../linked -b linked");
  const linked = join(stage.folder, "linked");
  const [here, there] = [stage.pi(), stage.piIn(linked)];
  const start = { here: stage.look(), there: look(linked) };
  await here.prompt(script("P1", step(write("f.txt", "here\n")), DONE));
  await there.prompt(script("P2", step(write("f.txt", "there\n"), write("only", "x\n")), DONE));
  const after = stage.look();
  there.answer("Code only");
  await there.fork(users(await there.entries())[0].id);
  assert.deepEqual(look(linked), start.there);
  stage.same(after, "the other worktree");
  here.answer("Code only");
  await here.fork(users(await here.entries())[0].id);
  stage.same(start.here);
}

export async function aCopyInTheExtensionsFolderWorksToo(stage) {
  stage.copy().put("f.txt", "v0\n").commit();
  const pi = stage.pi();
  const start = stage.look();
  await pi.prompt(script("P1", step(write("f.txt", "v1\n")), DONE));
  pi.answer("Restore all");
  await pi.fork(users(await pi.entries())[0].id);
  stage.same(start);
}

export async function inPrintModeNothingIsSaidAndThePointsAreThere(stage) {
  stage.install().put("f.txt", "v0\n").commit();
  const start = stage.look();
  const [node, pi] = piCommand(stage.version);
  const answer = execFileSync(node, [pi, "-p", script("P1", step(write("f.txt", "v1\n")), DONE)], { cwd: stage.repo, env: stage.env, stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" });
  assert.equal(answer, "done\n");
  const [session] = stage.sessions();
  assert.equal(records(entriesOf(session)).length, 2);
  const resumed = stage.pi("--session", session);
  resumed.answer("Code only");
  await resumed.fork(users(entriesOf(session))[0].id);
  stage.same(start);
}

export async function outsideGitNothingHappens(stage) {
  stage.install();
  const folder = join(stage.folder, "plain");
  mkdirSync(folder);
  writeFileSync(join(folder, "f.txt"), "v0\n");
  const pi = stage.piIn(folder);
  await pi.prompt(script("P1", step({ tool: "write", args: { path: "f.txt", content: "v1\n" } }), DONE));
  await pi.prompt("P2");
  assert.equal(await pi.fork(users(await pi.entries())[1].id), false);
  assert.deepEqual([pi.dialogs, pi.notices, pi.footer], [[], [], undefined]);
  assert.deepEqual(Object.keys(look(folder)), ["f.txt"]);
}

export async function aMissingCommandIsToldOfOnce(stage) {
  stage.install().settings({ rewind: { command: "/nowhere/varve" } }).put("f.txt", "v0\n").commit();
  const pi = stage.pi();
  await pi.prompt(script("P1", step(write("f.txt", "v1\n")), DONE));
  await pi.prompt("P2");
  assert.equal(await pi.fork(users(await pi.entries())[1].id), false);
  assert.equal(pi.notices.length, 1);
  assert.match(pi.notices[0], /^error: Rewind is off in this session: varve does not run/);
  assert.deepEqual(pi.dialogs, []);
}

export async function aHostThatDoesNotAnswerIsNotWaitedForForEver(stage) {
  stage.install().settings({ rewind: { dialogTimeoutMs: 500 } }).put("f.txt", "v0\n").commit();
  const pi = stage.pi();
  await pi.prompt(script("P1", step(write("f.txt", "v1\n")), DONE));
  const after = stage.look();
  pi.answer("never");
  assert.equal(await pi.fork(users(await pi.entries())[0].id), false, "a plain fork");
  assert.equal(pi.dialogs[0].timeout, 500);
  stage.same(after);
}

export async function silentCheckpointsHideTheFooter(stage) {
  stage.install().settings({ rewind: { silentCheckpoints: true } }).put("f.txt", "v0\n").commit();
  const pi = stage.pi();
  const start = stage.look();
  await pi.prompt(script("P1", step(write("f.txt", "v1\n")), DONE));
  assert.equal(pi.footer, undefined);
  pi.answer("Code only");
  await pi.fork(users(await pi.entries())[0].id);
  stage.same(start);
  assert.deepEqual(pi.notices, []);
}

export async function theRepositoryOfAnAgentIsNotTouched(stage) {
  stage.install().put("f.txt", "v0\n").commit();
  const pi = stage.pi();
  await pi.prompt(script("P1", step(shell("git init -q nested; echo n > nested/n; git -C nested add -A; git -C nested -c user.name=a -c user.email=a@a commit -qm n; git init -q empty")), DONE));
  await pi.prompt(script("P2", step(write("f.txt", "v2\n")), DONE));
  const nested = join(stage.repo, "nested");
  const [files, git] = [look(nested), repository(nested)];
  pi.answer("Code only");
  await pi.fork(users(await pi.entries())[1].id);
  assert.equal(stage.sh("cat f.txt"), "v0\n");
  assert.deepEqual([look(nested), repository(nested)], [files, git]);
  assert.ok(status(stage.repo).includes("nested"));
  pi.answer("Code only");
  await pi.fork(users(await pi.entries())[0].id);
  assert.deepEqual([Object.keys(look(nested)), repository(nested)], [[], git], "its history stays, its files were not there");
}

export async function e6_filesOfRepositoriesInsideAreRewoundAndTheirGitIsNot(stage) {
  stage.install().put("f.txt", "v0\n").put(".gitignore", "*.log\n").put("lib/n", "n0\n").put("lib/deep/d", "d0\n").put("lib/run.log", "l0\n");
  stage.sh(`
    for inside in lib/deep lib; do git init -q -b main $inside; git -C $inside add -A; git -C $inside commit -qm first; done
    git init -q -b main ../origin; echo s0 > ../origin/s; git -C ../origin add -A; git -C ../origin commit -qm first
    git -c protocol.file.allow=always submodule -q add ../origin sub; echo skipped > lib/.git/info/exclude
  `);
  stage.commit();
  const [lib, sub] = [join(stage.repo, "lib"), join(stage.repo, "sub")];
  const pi = stage.pi();
  const start = stage.moment();
  const git = [stage.repository(), repository(lib), repository(sub)];
  await pi.prompt(script("P1", step(write("lib/n", "n1\n"), shell("echo s1 > sub/s; echo new > lib/deep/new; rm lib/deep/d; echo l1 > lib/run.log; chmod 600 lib/n")), DONE));
  const after = stage.moment();
  await pi.prompt(script("P2", step(shell("git -C lib checkout -qb other; git -C lib -c user.name=a -c user.email=a@a commit -qam theirs; rm -r sub/s")), DONE));
  const head = repository(lib);
  pi.answer("Code only");
  await pi.fork(users(await pi.entries())[1].id);
  assert.equal(stage.sh("cat lib/n sub/s lib/deep/new lib/run.log"), "n1\ns1\nnew\nl1\n");
  assert.deepEqual(repository(lib), head, "what the agent committed stays");
  stage.sh("git -C lib checkout -q --detach; git -C lib symbolic-ref HEAD refs/heads/main; git -C lib branch -qD other; git -C lib reset -q; rm -f lib/.git/COMMIT_EDITMSG");
  pi.answer("Code only");
  await pi.fork(users(await pi.entries())[0].id);
  const files = (moment) => Object.fromEntries(Object.entries(moment.files).filter(([name]) => !name.startsWith("lib/.git/")));
  assert.deepEqual(files(stage.moment()), files(start), "at the start");
  assert.equal(stage.moment().status, start.status);
  assert.deepEqual([stage.repository(), repository(sub)], [git[0], git[2]]);
  assert.ok(after.files["lib/run.log"] !== start.files["lib/run.log"]);
}

export async function e20_emptyFoldersComeAndGo(stage) {
  stage.install().put("f.txt", "v0\n").put(".gitignore", "*.log\nbuild/\n").put("logs/x.log", "l\n").commit();
  stage.sh("mkdir -p empty/deep closed build keep; chmod 700 closed; git init -q -b main inner; mkdir inner/hollow");
  const pi = stage.pi();
  const start = stage.moment();
  await pi.prompt(script("P1", step(write("f.txt", "v1\n"), shell("rmdir empty/deep empty closed inner/hollow; mkdir -p new/one/two; echo k > keep/file; mkdir -p other; touch other/x")), DONE));
  const first = stage.moment();
  await pi.prompt(script("P2", step(shell("rm -r other new keep; mkdir other; chmod 711 other; echo x > new")), DONE));
  const second = stage.moment();
  for (const [option, at, moment] of [["Code only", 1, first], ["Code only", 0, start], ["Undo last file rewind", 0, first], ["Undo last file rewind", 0, second]]) {
    pi.answer(option);
    await pi.fork(users(await pi.entries())[at].id);
    stage.same(moment, `${option} ${at}`);
  }
}
