// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.git.RepoPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@EnumSource(Repo.Kind.class)
final class RestoreTest {

  @TempDir Path folder;

  @Parameter Repo.Kind kind;

  @Test
  void everyFileIsExactlyAsItWas() throws IOException {
    Repo repo = Repo.in(folder, kind);
    repo.write("a.txt", "one\n").write("src/b.txt", "b\r\n").write("src/deep/c", "c");
    repo.link("link", "src/b.txt");
    repo.link("to-folder", "../elsewhere/");
    if (repo.isGit()) {
      repo.gitAs("add", "a.txt");
      repo.gitAs("commit", "-qm", "first");
    }
    Map<RepoPath, String> then = repo.files();
    Snapshot snapshot = repo.capture();
    String before = repo.repository();

    repo.write("a.txt", "two\n").write("new/d.txt", "d");
    Files.delete(repo.path("src/b.txt"));
    Files.delete(repo.path("to-folder"));
    repo.permit("src/deep/c", "rwx------");
    RestoreOutcome outcome = repo.restore(snapshot);

    assertThat(repo.files()).isEqualTo(then);
    assertThat(repo.path("new")).doesNotExist();
    assertThat(outcome.exact()).isTrue();
    assertThat(outcome.plan().changes()).isEqualTo(5);
    assertThat(repo.repository()).isEqualTo(before);
  }

  @Test
  void whatIsUnchangedIsNotTouched() throws IOException {
    Repo repo = Repo.in(folder, kind);
    for (int i = 0; i < 20; i++) {
      repo.write("f" + i, "text " + i);
    }
    FileTime old = FileTime.fromMillis(1_000_000_000_000L);
    Files.setLastModifiedTime(repo.path("f3"), old);
    Snapshot snapshot = repo.capture();
    Object inode = Files.getAttribute(repo.path("f4"), "unix:ino");
    repo.write("f5", "other");

    RestoreOutcome outcome = repo.restore(snapshot);

    assertThat(outcome.results()).extracting(PathResult::path).containsExactly(RepoPath.of("f5"));
    assertThat(Files.getLastModifiedTime(repo.path("f3"))).isEqualTo(old);
    assertThat(Files.getAttribute(repo.path("f4"), "unix:ino")).isEqualTo(inode);
  }

  @Test
  void aRestoreIsUndoneAndDoneAgainToAnyDepth() throws IOException {
    Repo repo = Repo.in(folder, kind);
    Snapshot[] snapshots = new Snapshot[3];
    for (int i = 0; i < 3; i++) {
      repo.write("f", "v" + i);
      snapshots[i] = repo.capture();
    }
    repo.write("f", "by hand");
    repo.restore(snapshots[1]);
    repo.restore(snapshots[0]);
    Rewind rewind = repo.rewind();

    rewind.undo(rewind.planUndo());
    assertThat(repo.read("f")).isEqualTo("v1");
    rewind.undo(rewind.planUndo());
    assertThat(repo.read("f")).isEqualTo("by hand");
    assertThatThrownBy(rewind::planUndo).isInstanceOf(StoreException.NotFound.class);
    rewind.redo(rewind.planRedo());
    rewind.redo(rewind.planRedo());
    assertThat(repo.read("f")).isEqualTo("v0");
    assertThatThrownBy(rewind::planRedo).isInstanceOf(StoreException.NotFound.class);
  }

  @Test
  void anUndoLeavesAloneWhatTheRestoreDidNotTouch() throws IOException {
    Repo repo = Repo.in(folder, kind).write("f", "v0").write("g", "g0");
    Snapshot snapshot = repo.capture();
    repo.write("f", "v1");
    repo.restore(snapshot);
    repo.write("g", "g1");
    Rewind rewind = repo.rewind();

    rewind.undo(rewind.planUndo());

    assertThat(repo.read("f")).isEqualTo("v1");
    assertThat(repo.read("g")).isEqualTo("g1");
  }

  @Test
  void aRestoreCanBeLimitedToPaths() throws IOException {
    Repo repo = Repo.in(folder, kind).write("a/x", "1").write("a-b", "1").write("c", "1");
    Snapshot snapshot = repo.capture();
    repo.write("a/x", "2").write("a-b", "2").write("c", "2");
    Rewind rewind = repo.rewind();

    rewind.restore(
        rewind.plan(
            snapshot, new PathSelection.Below(List.of(RepoPath.of("a"), RepoPath.of("c")))));

    assertThat(repo.read("a/x") + repo.read("a-b") + repo.read("c")).isEqualTo("121");
  }

  @Test
  void handEditsSinceTheLastSnapshotAreNamed() throws IOException {
    Repo repo = Repo.in(folder, kind).write("f", "1").write("g", "1");
    Snapshot snapshot = repo.capture();
    repo.write("f", "2").write("g", "2");
    repo.capture();
    repo.write("g", "by hand");

    RestorePlan plan = repo.rewind().plan(snapshot, new PathSelection.Everything());

    assertThat(plan.paths())
        .extracting(path -> path.path() + " " + path.editedSince())
        .containsExactly("f false", "g true");
  }

  @Test
  void whatNeverHoldsStillIsLeftAloneAndNamedAndAllElseComesBack() throws IOException {
    Repo repo = Repo.in(folder, kind).write("f", "1").write("log", "1").write("other", "1");
    Snapshot snapshot = repo.capture();
    repo.write("f", "2").write("log", "12").write("other", "2");
    Rewind rewind = repo.rewind();
    RestorePlan plan = rewind.plan(snapshot, new PathSelection.Everything()).leavingMoved();
    RestorePlan only = rewind.plan(snapshot, new PathSelection.Below(List.of(RepoPath.of("f"))));
    repo.write("log", "123");

    assertThat(rewind.restore(only).exact()).as("not of what moves").isTrue();
    repo.write("f", "2");
    RestoreOutcome outcome = rewind.restore(plan);
    assertThat(outcome.exact()).isFalse();
    assertThat(outcome.failures()).extracting(PathResult::path).containsExactly(RepoPath.of("log"));
    assertThat(repo.read("f") + repo.read("other")).isEqualTo("11");
    assertThat(repo.read("log")).isEqualTo("123");
    assertThat(rewind.begun()).isNull();
    rewind.undo(rewind.planUndo());
    assertThat(repo.read("f") + repo.read("other") + repo.read("log")).isEqualTo("22123");
  }

  @Test
  void aPlanThatIsNoLongerTrueIsRefused() throws IOException {
    Repo repo = Repo.in(folder, kind).write("f", "1");
    Snapshot snapshot = repo.capture();
    repo.write("f", "2");
    Rewind rewind = repo.rewind();
    RestorePlan plan = rewind.plan(snapshot, new PathSelection.Everything());
    repo.write("f", "three");

    assertThatThrownBy(() -> rewind.restore(plan)).isInstanceOf(StoreException.Conflict.class);
    assertThat(repo.read("f")).isEqualTo("three");
  }

  @Test
  void anUnknownSnapshotDeletesNothing() throws IOException {
    Repo repo = Repo.in(folder, kind).write("f", "1");
    repo.capture();

    for (String name : List.of("@9", "0123456789012345678901234567890123456789", "abcd")) {
      assertThatThrownBy(() -> repo.rewind().snapshot(name))
          .as(name)
          .isInstanceOf(StoreException.NotFound.class);
    }
    assertThatThrownBy(() -> repo.rewind().snapshot("--all"))
        .isInstanceOf(StoreException.Invalid.class);
    assertThat(repo.read("f")).isEqualTo("1");
  }

  @Test
  void oneFileThatCannotBeRestoredDoesNotKeepTheOthersFromIt() throws IOException {
    Repo repo = Repo.in(folder, kind).write("a", "1").write("b", "1").write("c", "1");
    Snapshot snapshot = repo.capture();
    repo.write("a", "2").write("b", "2").write("c", "2");
    Rewind rewind = repo.rewind();
    RestorePlan plan = rewind.plan(snapshot, new PathSelection.Everything());
    FileTime captured = (FileTime) Files.getAttribute(repo.path("c"), "unix:ctime");
    repo.run("sh", "-c", "i=0; while [ $(stat -c %Z b) = $(stat -c %Z c) ]; do touch b; done");

    List<PathResult> results = new RestoreRun(repo.archive()).run(plan, captured, () -> {});

    assertThat(results)
        .filteredOn(result -> !result.done())
        .extracting(result -> result.path() + ": " + result.failure())
        .containsExactly("b: was changed while it was to be restored");
    assertThat(repo.read("a") + repo.read("b") + repo.read("c")).isEqualTo("121");
  }

  /// A restore is broken off behind each of its steps, as a killed process would.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRestoreThatBrokeOffIsFinishedOrRolledBack(boolean forward) throws IOException {
    Repo repo = Repo.in(folder, kind).write("a", "1").write("b", "1").write("old/c", "1");
    Map<RepoPath, String> then = repo.files();
    Snapshot snapshot = repo.capture();
    repo.write("a", "2").write("new/d", "2");
    Files.delete(repo.path("old/c"));
    Files.delete(repo.path("old"));
    Map<RepoPath, String> before = repo.files();
    Rewind rewind = repo.rewind();
    RestorePlan plan = rewind.plan(snapshot, new PathSelection.Everything());
    RestoreJournal.of("restore", plan).write(repo.archive().folder());
    Files.delete(repo.path("new/d")); // the first step was done
    repo.write("a", "1"); // and another

    assertThatThrownBy(() -> rewind.plan(snapshot, new PathSelection.Everything()))
        .isInstanceOf(StoreException.Conflict.class);
    assertThat(rewind.begun()).isNotNull();
    RestoreOutcome outcome = forward ? rewind.finish() : rewind.rollBack();

    assertThat(outcome.exact()).isTrue();
    assertThat(repo.files()).isEqualTo(forward ? then : before);
    assertThat(rewind.begun()).isNull();
    if (forward) {
      rewind.undo(rewind.planUndo());
      assertThat(repo.files()).isEqualTo(before);
    }
  }

  /// Random states of a small tree, and ways between them.
  @Test
  void anyStateLeadsToAnyOther() throws IOException {
    long seed = Long.getLong("sim.seed", -1) < 0 ? 17 : Long.getLong("sim.seed");
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    Repo repo = Repo.in(folder, kind);
    Snapshot[] snapshots = new Snapshot[6];
    @SuppressWarnings({"unchecked", "rawtypes"})
    Map<RepoPath, String>[] states = new Map[snapshots.length];
    for (int i = 0; i < snapshots.length; i++) {
      RandomTree.change(repo, random);
      states[i] = repo.files();
      snapshots[i] = repo.capture();
    }
    for (int i = 0; i < 8; i++) {
      int wanted = random.nextInt(snapshots.length);
      if (random.nextInt(3) == 0) {
        RandomTree.change(repo, random);
      }
      RestoreOutcome outcome = repo.restore(snapshots[wanted]);
      assertThat(repo.files())
          .as("seed %d, step %d, to %d", seed, i, wanted)
          .isEqualTo(states[wanted]);
      assertThat(outcome.exact()).isTrue();
    }
  }
}
