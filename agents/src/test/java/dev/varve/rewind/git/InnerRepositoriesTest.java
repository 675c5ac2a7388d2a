// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.git.RepoPath;
import dev.varve.rewind.Checkout;
import dev.varve.rewind.LeftOut;
import dev.varve.rewind.PathSelection;
import dev.varve.rewind.PlannedPath;
import dev.varve.rewind.PlannedPath.Action;
import dev.varve.rewind.RandomTree;
import dev.varve.rewind.Repo;
import dev.varve.rewind.RepositoryDifference;
import dev.varve.rewind.RestoreOutcome;
import dev.varve.rewind.RestorePlan;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Repositories inside a worktree: their files are captured by their own rules, and nothing else of
/// them is touched. [Repo#files] has their git folders, byte for byte. The letter is that of a list
/// of defects found in another tool of this kind.
final class InnerRepositoriesTest {

  @TempDir Path folder;

  private static Repo inner(Repo repo, String name) throws IOException {
    Repo inner = repo.at(Files.createDirectories(repo.path(name)));
    inner.git("init", "-q", "-b", "main");
    return inner;
  }

  private static void commit(Repo repo, String message) {
    repo.gitAs("add", "-A");
    repo.gitAs("commit", "-q", "--allow-empty", "-m", message);
  }

  private Repo submodule(Repo repo, String name) throws IOException {
    Repo other = Repo.in(folder.resolve("origin-of-" + name)).write("f", "1").write("d/g", "1");
    commit(other, "first");
    String from = other.root().toString();
    repo.git("-c", "protocol.file.allow=always", "submodule", "-q", "add", from, name);
    return repo.at(repo.path(name));
  }

  private static List<String> kept(RestorePlan plan) {
    return plan.paths().stream()
        .filter(path -> path.action() == Action.KEEP)
        .map(path -> path.path() + ": " + path.why())
        .toList();
  }

  private static Map<RepoPath, LeftOut> leftOut(Snapshot snapshot) {
    return snapshot.metadata().orElseThrow().leftOut();
  }

  @Test
  void e6FilesOfRepositoriesInsideComeBackByTheirOwnRules() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1").write(".gitignore", "*.log\nbuild/\n");
    Repo lib = inner(repo, "lib").write("f", "1").write("d/g", "1").write("run.log", "not ignored");
    lib.write(".gitignore", "*.tmp\n").write("kept.tmp", "tracked").write("build/x", "1");
    lib.git("add", "-f", "kept.tmp");
    commit(lib, "first");
    lib.write("f", "edited").write("x.tmp", "ignored").write("local", "excluded");
    lib.write(".git/info/exclude", "local\n");
    inner(repo, "lib/deep/er").write("z", "1").write("y", "1");
    Map<RepoPath, String> then = repo.files();
    Snapshot snapshot = repo.capture();

    lib.write("f", "2").write("d/new", "2").write("kept.tmp", "2").write("run.log", "2");
    lib.write("build/x", "2").write("build/y", "2").write("deep/er/z", "2");
    lib.permit("d/g", "rwx------");
    Files.delete(lib.path("deep/er/y"));
    Map<RepoPath, String> changed = repo.files();
    Rewind rewind = repo.rewind();

    assertThat(repo.restore(snapshot).exact()).isTrue();
    assertThat(repo.files()).isEqualTo(then);
    assertThat(leftOut(snapshot)).isEmpty();
    assertThat(rewind.has(snapshot, RepoPath.of("lib/x.tmp"))).isFalse();
    assertThat(rewind.has(snapshot, RepoPath.of("lib/local"))).isFalse();
    rewind.undo(rewind.planUndo());
    assertThat(repo.files()).isEqualTo(changed);
    rewind.redo(rewind.planRedo());
    assertThat(repo.files()).isEqualTo(then);
  }

  @Test
  void e6SubmodulesComeBackAlsoSuchAsAreIgnored() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    Repo sub = submodule(repo, "sub");
    submodule(repo, "vendor");
    repo.write(".gitignore", "/vendor/\n");
    commit(repo, "first");
    Map<RepoPath, String> then = repo.files();
    String before = repo.repository();
    Snapshot snapshot = repo.capture();
    sub.write("f", "2").write("new", "2");
    Files.delete(sub.path("d/g"));
    repo.write("vendor/f", "2");
    assertThat(repo.capture().tree()).isNotEqualTo(snapshot.tree());

    assertThat(repo.restore(snapshot).exact()).isTrue();
    assertThat(repo.files()).isEqualTo(then);
    assertThat(repo.repository()).isEqualTo(before);
    assertThat(repo.git("status", "--porcelain")).isEmpty();
  }

  @Test
  void e6WhatIsCheckedOutInsideIsAFactAndADifferenceIsTold() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    Repo lib = inner(repo, "lib").write("f", "1");
    Snapshot unborn = repo.capture();
    commit(lib, "first");
    Snapshot first = repo.capture();
    lib.git("checkout", "-q", "-b", "side");
    lib.write("f", "2");
    commit(lib, "second");
    String head = lib.git("rev-parse", "HEAD").strip();
    RestorePlan plan = repo.rewind().plan(first, new PathSelection.Everything());

    Checkout then = first.metadata().orElseThrow().inner().get(RepoPath.of("lib/"));
    assertThat(unborn.metadata().orElseThrow().inner().get(RepoPath.of("lib/")).words())
        .isEqualTo("main at no commit");
    assertThat(then.branch()).isEqualTo("refs/heads/main");
    assertThat(plan.repositories())
        .extracting(RepositoryDifference::words)
        .containsExactly(
            "has side at "
                + head.substring(0, 12)
                + " checked out and keeps it; then it had main at "
                + then.commit().substring(0, 12));
    repo.rewind().restore(plan);
    assertThat(lib.read("f")).isEqualTo("1");
    assertThat(lib.git("rev-parse", "HEAD").strip()).isEqualTo(head);
    assertThat(lib.git("status", "--porcelain")).isEqualTo(" M f\n");
  }

  @Test
  void e6ARepositoryThatWentAwayIsToldAndItsFilesComeBack() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    commit(inner(repo, "lib").write("f", "1"), "first");
    Snapshot snapshot = repo.capture();
    repo.run("rm", "-rf", repo.path("lib").toString());
    RestorePlan plan = repo.rewind().plan(snapshot, new PathSelection.Everything());

    assertThat(plan.repositories())
        .extracting(RepositoryDifference::words)
        .containsExactly("is not there now; files come back, its history does not");
    assertThat(repo.rewind().restore(plan).exact()).isTrue();
    assertThat(repo.read("lib/f")).isEqualTo("1");
  }

  @Test
  void e6AFolderThatIsNoRepositoryAnyMoreFollowsTheOuterRules() throws IOException {
    Repo repo = Repo.in(folder).write(".gitignore", "*.log\n");
    inner(repo, "lib").write("f", "1").write("x.log", "1");
    Snapshot snapshot = repo.capture();
    repo.run("rm", "-rf", repo.path("lib/.git").toString());
    Snapshot plain = repo.capture();

    assertThat(repo.rewind().has(snapshot, RepoPath.of("lib/x.log"))).isTrue();
    assertThat(repo.rewind().has(plain, RepoPath.of("lib/x.log"))).isFalse();
    assertThat(repo.rewind().has(plain, RepoPath.of("lib/f"))).isTrue();
  }

  @Test
  void e6ARepositoryThatTheOuterOneIgnoresIsLeftAlone() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1").write(".gitignore", "vendor/\n");
    inner(repo, "vendor").write("f", "1");
    Snapshot snapshot = repo.capture();
    repo.write("vendor/f", "2");
    assertThat(repo.capture().commit()).isEqualTo(snapshot.commit());

    repo.write(".gitignore", "");
    Snapshot wanted = repo.capture();
    assertThat(repo.rewind().has(wanted, RepoPath.of("vendor/f"))).isTrue();
    assertThat(kept(repo.rewind().plan(snapshot, new PathSelection.Everything())))
        .containsExactly("vendor/f: was ignored then");
    repo.write(".gitignore", "vendor/\n");
    assertThat(repo.rewind().has(repo.capture(), RepoPath.of("vendor/f"))).isFalse();
  }

  @Test
  void e6WhatCannotBeCapturedIsNamedWithItsReason() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    commit(repo, "first");
    repo.write("gone/f", "1").write("gone/.git", "gitdir: ../nowhere\n");
    repo.write("hollow/f", "1");
    Files.createDirectories(repo.path("hollow/.git"));
    inner(repo, "bare").write("f", "1").git("config", "core.bare", "true");
    repo.git("worktree", "add", "-q", "linked");
    inner(repo, "elsewhere")
        .write("f", "1")
        .git("config", "core.worktree", repo.path("a").getParent().toString());
    Snapshot snapshot = repo.capture();
    repo.write("gone/f", "2").write("linked/a", "2").write("a", "2");

    assertThat(leftOut(snapshot))
        .containsOnly(
            Map.entry(RepoPath.of("gone/"), LeftOut.BROKEN),
            Map.entry(RepoPath.of("hollow/"), LeftOut.BROKEN),
            Map.entry(RepoPath.of("bare/"), LeftOut.BROKEN),
            Map.entry(RepoPath.of("elsewhere/"), LeftOut.BROKEN),
            Map.entry(RepoPath.of("linked/"), LeftOut.LINKED));
    assertThat(repo.restore(snapshot).exact()).isTrue();
    assertThat(repo.read("gone/f") + repo.read("linked/a") + repo.read("a")).isEqualTo("221");
    assertThat(InnerRepository.why("fatal: detected dubious ownership in repository at '/x'"))
        .isEqualTo(LeftOut.FOREIGN);
  }

  @Test
  void e6ARepositoryInTooManyOthersIsLeftOut() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    StringBuilder name = new StringBuilder("r");
    for (int i = 0; i < 17; i++) {
      inner(repo, name.toString()).write("f", "1");
      name.append("/r");
    }
    Snapshot snapshot = repo.capture();

    assertThat(leftOut(snapshot))
        .containsExactly(Map.entry(RepoPath.of("r" + "/r".repeat(16) + "/"), LeftOut.DEEP));
    assertThat(snapshot.metadata().orElseThrow().inner()).hasSize(16);
  }

  @Test
  void e6SnapshotsThatDidNotLookIntoRepositoriesDeleteNothingInThem() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    repo.git("add", "a");
    String plain = repo.git("write-tree").strip();
    commit(inner(repo, "lib").write("f", "1"), "first");
    repo.git("-c", "advice.addEmbeddedRepo=false", "add", "lib");
    String marked = repo.git("write-tree").strip();
    String ours = "pi rewind snapshot\n\nVarve-Rewind: 1\nWorktree: main\nPlain: 644 755\n";
    List<String> older =
        List.of(
            repo.gitAs("commit-tree", plain, "-m", "pi rewind snapshot").strip(),
            repo.gitAs("commit-tree", marked, "-m", "pi rewind snapshot").strip(),
            repo.gitAs("commit-tree", plain, "-m", ours).strip(),
            repo.gitAs("commit-tree", plain, "-m", ours + "Left-Out: repository lib/\n").strip());
    for (String each : older) {
      Rewind rewind = repo.rewind();
      RestoreOutcome outcome = repo.restore(rewind.snapshot(each));

      assertThat(repo.read("lib/f")).as(each).isEqualTo("1");
      assertThat(outcome.plan().count(Action.DELETE)).isZero();
      assertThat(kept(outcome.plan())).anyMatch(line -> line.startsWith("lib/f: "));
    }
  }

  @Test
  void e6FilesThatASparseRepositoryInsideLeavesOutAreNeitherMadeNorDeleted() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    Repo lib = inner(repo, "lib").write("in/f", "1").write("out/g", "1");
    commit(lib, "first");
    Snapshot whole = repo.capture();
    lib.git("sparse-checkout", "set", "in");
    lib.write("in/f", "2");
    Snapshot sparse = repo.capture();

    repo.restore(whole);
    assertThat(lib.read("in/f")).isEqualTo("1");
    assertThat(lib.path("out")).doesNotExist();
    lib.git("sparse-checkout", "disable");
    repo.restore(sparse);
    assertThat(lib.read("in/f")).isEqualTo("2");
    assertThat(lib.read("out/g")).isEqualTo("1");
  }

  @Test
  void e6GarbageCollectionLeavesTheFilesOfRepositoriesInsideAlone() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    Repo lib = inner(repo, "lib").write("f", "1");
    Snapshot snapshot = repo.capture();
    lib.write("f", "2");
    repo.capture();
    repo.git("gc", "-q", "--prune=now");
    lib.git("gc", "-q", "--prune=now");

    assertThat(repo.restore(snapshot).exact()).isTrue();
    assertThat(lib.read("f")).isEqualTo("1");
    assertThat(repo.rewind().check().problems()).isEmpty();
  }

  @Test
  void e6RepositoriesOfAnotherKindOfHashAreCapturedToo() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    Repo lib = repo.at(Files.createDirectories(repo.path("lib")));
    lib.git("init", "-q", "--object-format=sha256");
    lib.write("f", "1");
    commit(lib, "first");
    Snapshot snapshot = repo.capture();
    lib.write("f", "2");

    assertThat(repo.restore(snapshot).exact()).isTrue();
    assertThat(lib.read("f")).isEqualTo("1");
    assertThat(snapshot.metadata().orElseThrow().inner().get(RepoPath.of("lib/")).commit())
        .hasSize(64);
  }

  @Test
  void e6ARepositoryAroundFilesThatTheOuterOneTracksHidesNone() throws IOException {
    Repo repo = Repo.in(folder).write("lib/dist/app", "1").write("lib/f", "1");
    commit(repo, "first");
    repo.capture();
    inner(repo, "lib").write(".gitignore", "dist/\n");
    Snapshot snapshot = repo.capture();
    repo.write("lib/dist/app", "2").write("lib/f", "2");

    assertThat(snapshot.metadata().orElseThrow().inner()).containsOnlyKeys(RepoPath.of("lib/"));
    assertThat(repo.restore(snapshot).exact()).isTrue();
    assertThat(repo.read("lib/dist/app") + repo.read("lib/f")).isEqualTo("11");
  }

  @Test
  void e6APlanOfSomePathsTellsOfTheirRepositoriesOnly() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    Snapshot snapshot = repo.capture();
    inner(repo, "one").write("f", "1");
    inner(repo, "two").write("f", "1");

    RestorePlan plan =
        repo.rewind().plan(snapshot, new PathSelection.Below(List.of(RepoPath.of("two"))));

    assertThat(plan.repositories())
        .extracting(RepositoryDifference::path)
        .containsExactly(RepoPath.of("two/"));
    assertThat(plan.paths()).extracting(PlannedPath::path).containsExactly(RepoPath.of("two/f"));
  }

  @Test
  void e6AnythingInARepositoryInsideComesBack() throws IOException {
    for (long seed = 1; seed <= 3; seed++) {
      demandThatAnythingComesBack(seed);
    }
  }

  private void demandThatAnythingComesBack(long seed) throws IOException {
    Repo repo = Repo.in(folder.resolve("seed" + seed)).write("a", "1");
    Repo lib = inner(repo, "lib");
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    RandomTree.change(lib, random);
    Map<RepoPath, String> then = repo.files();
    Snapshot snapshot = repo.capture();
    for (int i = 0; i < 3; i++) {
      RandomTree.change(lib, random);
    }

    assertThat(repo.restore(snapshot).exact()).as("seed %d", seed).isTrue();
    assertThat(repo.files()).as("seed %d", seed).isEqualTo(then);
  }
}
