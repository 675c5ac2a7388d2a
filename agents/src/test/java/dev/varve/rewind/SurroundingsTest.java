// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.git.RepoPath;
import dev.varve.rewind.git.SnapshotRef;
import dev.varve.rewind.git.Worktree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Repositories as they are found, other processes at work, and a repository that is left as it
/// was. The letters are those of a list of defects found in another tool of this kind.
final class SurroundingsTest {

  @TempDir Path folder;

  @Test
  void e11AUserIndexThatIsLockedIsNoObstacle() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    Files.createFile(repo.path(".git/index.lock"));
    Snapshot snapshot = repo.capture();
    repo.write("a", "2").write("b", "2");

    assertThat(repo.restore(snapshot).exact()).isTrue();
    assertThat(repo.read("a")).isEqualTo("1");
    assertThat(repo.path("b")).doesNotExist();
    assertThat(repo.path(".git/index.lock")).exists();
  }

  @Test
  void e11AnIndexOfOursThatAKilledProcessLeftLockedIsFreed() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    repo.capture();
    Files.createFile(repo.path(".git/varve-rewind/index.lock"));
    repo.write("a", "2");

    assertThat(repo.rewind().changes(repo.rewind().snapshot("@0"), repo.capture())).hasSize(1);
  }

  @Test
  void anIndexOfOursThatIsDamagedOrLostIsMadeAgain() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1").write("b", "1");
    Snapshot first = repo.capture();
    Files.writeString(repo.path(".git/varve-rewind/index"), "garbage");
    assertThat(repo.capture().tree()).isEqualTo(first.tree());
    Files.delete(repo.path(".git/varve-rewind/index"));
    assertThat(repo.capture().tree()).isEqualTo(first.tree());
    Files.writeString(repo.path(".git/varve-rewind/last"), "garbage");
    assertThat(repo.capture().tree()).isEqualTo(first.tree());
  }

  @Test
  void e17ThousandsOfWarningsAreNoObstacle() throws IOException {
    Repo repo = Repo.in(folder);
    repo.git("config", "core.autocrlf", "true");
    repo.git("config", "core.safecrlf", "warn");
    for (int i = 0; i < 300; i++) {
      repo.write("a-rather-long-name-that-a-warning-repeats-" + i, "one\ntwo\n");
    }

    assertThat(
            repo.rewind()
                .has(repo.capture(), RepoPath.of("a-rather-long-name-that-a-warning-repeats-299")))
        .isTrue();
  }

  /// Nobody has a name in these tests: see [Repo].
  @Test
  void e18NobodyNeedsAName() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");

    assertThat(repo.git("log", "--format=%an <%ae>", repo.capture().commit()))
        .isEqualTo("pi rewind <pi-rewind@localhost>\n");
  }

  @Test
  void e19RepositoriesOfSha256Work() throws IOException {
    Repo repo = Repo.in(folder, "--object-format=sha256").write("a", "1");
    Snapshot snapshot = repo.capture();
    repo.write("a", "2").write("b", "1");
    repo.capture();

    assertThat(snapshot.commit()).hasSize(64);
    assertThat(repo.restore(snapshot).exact()).isTrue();
    assertThat(repo.read("a")).isEqualTo("1");
    assertThat(repo.path("b")).doesNotExist();
  }

  @Test
  void e21TheRepositoryOfTheUserIsLeftAsItIs() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    repo.gitAs("add", "-A");
    repo.gitAs("commit", "-qm", "first");
    repo.write("a", "stashed");
    repo.gitAs("stash");
    repo.git("checkout", "-qb", "side");
    repo.write("a", "side").gitAs("commit", "-qam", "side");
    repo.git("checkout", "-q", "main");
    repo.write("a", "main").gitAs("commit", "-qam", "main");
    repo.run("sh", "-c", "git -c user.name=u -c user.email=u@localhost merge side || true");
    repo.write("staged", "1").git("add", "staged");
    String before = repo.repository();

    Snapshot snapshot = repo.capture();
    repo.write("a", "solved").write("new", "1");
    repo.restore(snapshot);

    assertThat(repo.read("a")).contains("<<<<<<<");
    assertThat(repo.repository()).isEqualTo(before);
  }

  @Test
  void e22SparseFilesAreNeitherMadeNorDeleted() throws IOException {
    Repo repo = Repo.in(folder).write("in/a", "1").write("out/b", "1");
    repo.gitAs("add", "-A");
    repo.gitAs("commit", "-qm", "first");
    Snapshot whole = repo.capture();
    repo.git("sparse-checkout", "set", "in");
    repo.write("in/a", "2");
    Snapshot sparse = repo.capture();

    repo.restore(whole);
    assertThat(repo.read("in/a")).isEqualTo("1");
    assertThat(repo.path("out")).doesNotExist();
    repo.git("sparse-checkout", "disable");
    repo.restore(sparse);

    assertThat(repo.read("in/a")).isEqualTo("2");
    assertThat(repo.read("out/b")).isEqualTo("1");
  }

  @Test
  void r2LinkedWorktreesShareTheRefAndNothingElse() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    repo.gitAs("add", "-A");
    repo.gitAs("commit", "-qm", "first");
    repo.git("worktree", "add", "-q", folder.resolve("linked").toString());
    Repo linked = repo.at(folder.resolve("linked"));
    linked.write("a", "linked");
    Snapshot there = linked.capture();
    Snapshot here = repo.capture();
    linked.write("a", "changed");

    linked.restore(there);

    assertThat(linked.read("a")).isEqualTo("linked");
    assertThat(repo.read("a")).isEqualTo("1");
    assertThat(repo.rewind().snapshots())
        .extracting(each -> each.metadata().orElseThrow().worktree())
        .contains("main", "linked");
    assertThat(repo.rewind().snapshots()).extracting(Snapshot::commit).contains(here.commit());
  }

  /// One worktree a thread, all adding to one ref: [SnapshotRef] meets losers of each race.
  @Test
  void r4ManyAtOnceLoseNothing() throws Exception {
    Repo repo = Repo.in(folder).write("a", "1");
    repo.gitAs("add", "-A");
    repo.gitAs("commit", "-qm", "first");
    List<Repo> linked = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      repo.git("worktree", "add", "-q", folder.resolve("w" + i).toString());
      linked.add(repo.at(folder.resolve("w" + i)));
    }
    Set<String> taken = new ConcurrentSkipListSet<>();
    List<Thread> threads = new ArrayList<>();
    for (Repo each : linked) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int turn = 0; turn < 4; turn++) {
                      write(each, "turn " + turn);
                      taken.add(each.capture().commit());
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(taken).hasSize(12);
    assertThat(repo.rewind().snapshots()).extracting(Snapshot::commit).containsAll(taken);
  }

  private static void write(Repo repo, String text) {
    try {
      repo.write("a", text + repo.root());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aRefThatAKilledProcessLeftLockedIsFreed() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    repo.capture();
    Path lock = Files.createFile(repo.path(".git/refs/pi-rewind/store.lock"));
    Files.setLastModifiedTime(
        lock, java.nio.file.attribute.FileTime.from(java.time.Instant.now().minusSeconds(3600)));
    repo.write("a", "2");
    repo.capture();

    assertThat(repo.rewind().snapshots()).hasSize(2);
    assertThat(lock).doesNotExist();
  }

  @Test
  void aRefThatIsPackedIsMoved() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    repo.capture();
    repo.git("pack-refs", "--all");
    repo.write("a", "2");
    repo.capture();
    repo.write("a", "3");
    repo.capture();

    assertThat(repo.rewind().snapshots()).hasSize(3);
    assertThat(repo.git("fsck")).doesNotContain("missing");
  }

  @Test
  void garbageCollectionLeavesSnapshotsAlone() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    Snapshot snapshot = repo.capture();
    repo.write("a", "2");
    repo.rewind().plan(snapshot, new PathSelection.Everything());
    repo.git("gc", "-q", "--prune=now");
    repo.write("b", "3");

    assertThat(repo.restore(snapshot).exact()).isTrue();
    assertThat(repo.rewind().check().problems()).isEmpty();
  }

  @Test
  void aStoreThatSomebodyDeletedBeginsAnew() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    Snapshot lost = repo.capture();
    repo.git("update-ref", "-d", SnapshotRef.NAME);
    repo.git("gc", "-q", "--prune=now");

    Snapshot snapshot = repo.write("b", "1").capture();
    repo.write("a", "2");

    assertThatThrownBy(() -> repo.rewind().snapshot(lost.commit()))
        .isInstanceOf(StoreException.NotFound.class);
    assertThat(repo.restore(snapshot).exact()).isTrue();
    assertThat(repo.rewind().check().problems()).isEmpty();
  }

  @Test
  void snapshotsOfAnotherToolAreRestored() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1").write("tool", "t");
    repo.permit("tool", "rwxr-xr-x");
    repo.git("add", "-A");
    String tree = repo.git("write-tree").strip();
    String snapshot = repo.gitAs("commit-tree", tree, "-m", "pi rewind snapshot").strip();
    String empty = repo.git("mktree", "--missing").strip();
    String link = repo.gitAs("commit-tree", empty, "-p", snapshot, "-m", "pi rewind store").strip();
    repo.git("update-ref", SnapshotRef.NAME, link);
    repo.permit("tool", "rw-------");
    repo.write("a", "2").write("b", "2");

    Rewind rewind = repo.rewind();
    assertThat(rewind.snapshots()).extracting(Snapshot::commit).containsExactly(snapshot);
    assertThat(repo.restore(rewind.snapshot(snapshot)).exact()).isTrue();

    assertThat(repo.read("a")).isEqualTo("1");
    assertThat(repo.path("b")).doesNotExist();
    assertThat(Files.isExecutable(repo.path("tool"))).isTrue();
  }

  @Test
  void aFolderThatIsNoWorktreeIsRefused() throws IOException {
    Path plain = Files.createDirectories(folder.resolve("plain"));
    Repo repo = Repo.in(folder);

    assertThatThrownBy(() -> repo.at(plain).rewind()).isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(() -> repo.at(repo.path(".git")).rewind())
        .isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(() -> repo.at(plain.resolve("none")).rewind())
        .isInstanceOf(StoreException.NotFound.class);
  }

  /// With a commit behind it that has such a parent, git would never collect garbage again.
  @Test
  void nothingIsBuiltOnARefThatLeadsToNoCommit() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    repo.git("add", "a");
    String blob = repo.git("rev-parse", ":a").strip();
    for (String id : List.of(blob, "1".repeat(40))) {
      Files.createDirectories(repo.path(".git/refs/pi-rewind"));
      Files.writeString(repo.path(".git/refs/pi-rewind/store"), id + "\n");

      assertThatThrownBy(repo::capture)
          .isInstanceOf(StoreException.Corrupt.class)
          .hasMessageContaining("refs/pi-rewind/store");
      assertThat(Files.readString(repo.path(".git/refs/pi-rewind/store")).strip()).isEqualTo(id);
      assertThat(repo.rewind().check().problems()).isNotEmpty();
    }
    repo.git("update-ref", "-d", "refs/pi-rewind/store");
    repo.capture();
    repo.git("gc", "-q");
  }

  @Test
  void aSnapshotWithDamagedFactsDoesNotHideTheOthers() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1");
    Snapshot sound = repo.capture();
    String damaged =
        repo.gitAs(
                "commit-tree",
                sound.tree(),
                "-m",
                "pi rewind snapshot\n\nVarve-Rewind: 1\nNote: %\nMode: 4777 a\nLeft-Out: odd a\n")
            .strip();
    new SnapshotRef(Worktree.at(repo.root()), java.time.InstantSource.system()).add(damaged);
    repo.permit("a", "rw-r-----");

    assertThat(repo.rewind().snapshots()).extracting(Snapshot::commit).contains(sound.commit());
    assertThat(repo.rewind().snapshot(damaged).note()).isEmpty();
    Rewind rewind = repo.rewind();
    RestorePlan plan = rewind.plan(rewind.snapshot(damaged), new PathSelection.Everything());
    assertThat(plan.changes()).as("was not captured then").isZero();
  }
}
