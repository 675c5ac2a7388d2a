// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.removal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.rewind.Repo;
import dev.varve.rewind.Snapshot;
import dev.varve.rewind.git.GitRewind;
import dev.varve.rewind.git.SnapshotRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The removal of snapshots from repositories of real git.
final class RepositoryErasureTest {

  private static final String SECRET = "AKIAIOSFODNN7EXAMPLE";

  @TempDir Path folder;

  private Repo repo() throws IOException {
    Repo repo = Repo.in(folder).write("a", "1").write(".gitignore", "ignored\n");
    repo.git("add", "a", ".gitignore");
    repo.gitAs("commit", "-qm", "x");
    return repo;
  }

  private static List<SnapshotHolding> find(Repo repo) {
    return RepositoryErasure.at(repo.root()).find(WantedText.of(SECRET), () -> {});
  }

  private static List<RemovedSnapshots> remove(Repo repo) {
    return RepositoryErasure.at(repo.root()).remove(find(repo));
  }

  /// The objects that git can read in which the secret stands.
  private static Set<String> left(Repo repo) {
    Set<String> left = new HashSet<>();
    repo.git("cat-file", "--batch-all-objects", "--batch-check", "--unordered")
        .lines()
        .map(line -> line.split(" ", -1))
        .filter(words -> repo.git("cat-file", words[1], words[0]).contains(SECRET))
        .forEach(words -> left.add(words[0]));
    return left;
  }

  private static void demandSound(Repo repo) {
    assertThat(repo.git("fsck", "--full", "--no-dangling", "--no-progress"))
        .doesNotContain("missing", "broken", "error", "fatal");
    assertThat(repo.rewind().check().problems()).isEmpty();
  }

  @Test
  void aSecretThatNoCommitHasIsGoneAndTheOtherSnapshotsCanBeRestored() throws IOException {
    Repo repo = repo();
    Snapshot first = repo.capture();
    repo.write("config/.env", "key=" + SECRET).write("a", "2");
    Snapshot second = repo.capture();
    Files.delete(repo.path("config/.env"));
    Snapshot third = repo.capture();
    String user = repo.repository();
    assertThat(left(repo)).isNotEmpty();

    SnapshotHolding found = find(repo).getFirst();
    RemovedSnapshots removed = remove(repo).getFirst();

    assertThat(found.kept()).containsExactly(second.commit());
    assertThat(found.objects().values()).containsExactly("config/.env");
    assertThat(found.users()).isEmpty();
    assertThat(removed.snapshots()).containsExactly(second.commit());
    assertThat(removed.staying()).isEmpty();
    assertThat(removed.gone()).contains(second.commit()).hasSize(2);
    assertThat(left(repo)).isEmpty();
    demandSound(repo);
    assertThat(repo.repository()).isEqualTo(user);
    assertThat(repo.rewind().snapshots())
        .extracting(Snapshot::commit)
        .containsExactlyInAnyOrder(first.commit(), third.commit());
    assertThat(repo.restore(first).exact()).isTrue();
    assertThat(repo.read("a")).isEqualTo("1");
    assertThat(repo.restore(third).exact()).isTrue();
    assertThat(repo.read("a")).isEqualTo("2");
    assertThat(find(repo)).allMatch(SnapshotHolding::isEmpty);
  }

  @Test
  void packsAreWrittenAnewWithoutTheSecret() throws IOException {
    Repo repo = repo();
    repo.write(".env", "key=" + SECRET + "\n" + "line\n".repeat(500));
    repo.capture();
    repo.write(
        ".env", "key=none\n" + "line\n".repeat(500)); // one becomes a difference to the other
    Snapshot after = repo.capture();
    repo.git("config", "core.multiPackIndex", "true");
    repo.git("gc", "-q");
    repo.git("multi-pack-index", "write");
    repo.git("commit-graph", "write", "--reachable");
    assertThat(repo.git("count-objects", "-v")).contains("count: 0");

    RemovedSnapshots removed = remove(repo).getFirst();

    assertThat(removed.staying()).isEmpty();
    assertThat(left(repo)).isEmpty();
    demandSound(repo);
    assertThat(repo.git("commit-graph", "verify", "--no-progress")).doesNotContain("error");
    assertThat(repo.git("count-objects", "-v")).contains("garbage: 0");
    repo.write(".env", "other");
    assertThat(repo.restore(after).exact()).isTrue();
  }

  @Test
  void whatTheUserCommittedStaysAndIsNamed() throws IOException {
    Repo repo = repo().write(".env", "key=" + SECRET).write("only", "with " + SECRET);
    repo.git("add", ".env");
    repo.gitAs("commit", "-qm", "oops");
    repo.capture();
    String blob = repo.git("hash-object", ".env").strip();

    SnapshotHolding found = find(repo).getFirst();
    RemovedSnapshots removed = remove(repo).getFirst();

    assertThat(found.users()).containsOnlyKeys(blob);
    assertThat(found.users().get(blob)).startsWith("commit ").endsWith(" of refs/heads/main");
    assertThat(removed.staying()).containsOnlyKeys(blob);
    assertThat(removed.staying().get(blob)).contains("your commit ", "refs/heads/main");
    assertThat(left(repo)).containsExactly(blob);
    assertThat(repo.rewind().snapshots()).isEmpty();
    assertThat(repo.git("status", "--porcelain")).isEqualTo("?? only\n");
    demandSound(repo);
  }

  /// A stash that was dropped, or a commit that was reset away, can be had back from git for weeks.
  @Test
  void whatTheUserMayWantBackStays() throws IOException {
    Repo repo = repo().write("a", "with " + SECRET).write("b", "precious").write("c", "also");
    repo.git("add", "b", "c");
    repo.gitAs("commit", "-qm", "reset away");
    String lost = repo.git("rev-parse", "HEAD").strip();
    repo.capture();
    repo.git("reset", "-q", "--hard", "HEAD~1");
    repo.git("reflog", "expire", "--expire=all", "--all");
    repo.git("gc", "-q"); // some objects are packed, some stay files of their own
    repo.write("staged", "staged " + SECRET);
    repo.capture();
    repo.git("add", "staged");

    RemovedSnapshots removed = remove(repo).getFirst();

    assertThat(repo.git("ls-tree", "-r", lost)).contains("\tb\n", "\tc\n");
    assertThat(repo.git("cat-file", "blob", lost + ":b")).isEqualTo("precious");
    String staged = repo.git("rev-parse", ":staged").strip();
    assertThat(removed.staying()).containsOnlyKeys(staged);
    assertThat(left(repo)).containsExactly(staged);
    demandSound(repo);
  }

  @Test
  void snapshotsOfLinkedWorktreesGoTooAndTheirUndos() throws IOException {
    Repo repo = repo();
    repo.git("worktree", "add", "-q", "../linked");
    Repo linked = repo.at(repo.root().resolveSibling("linked"));
    Snapshot clean = linked.capture();
    linked.write(".env", SECRET);
    Snapshot dirty = linked.capture();
    linked.restore(clean);
    assertThat(linked.rewind().beforeLastRestore()).isPresent();

    SnapshotHolding found = find(repo).getFirst();
    remove(repo);

    assertThat(found.kept()).containsExactly(dirty.commit());
    assertThat(left(repo)).isEmpty();
    assertThat(linked.rewind().beforeLastRestore()).isEmpty();
    assertThat(linked.archive().folder().resolve("operations")).isEmptyFile();
    assertThatThrownBy(() -> linked.rewind().planUndo())
        .isInstanceOf(StoreException.NotFound.class);
    assertThatThrownBy(() -> linked.rewind().snapshot(dirty.commit()))
        .isInstanceOf(StoreException.NotFound.class);
    linked.write("new", "1");
    linked.capture();
    assertThat(linked.restore(clean).exact()).isTrue();
    demandSound(linked);
  }

  /// What was let go is in no list, and git keeps it for two weeks.
  @Test
  void snapshotsThatWereLetGoAreFound() throws IOException {
    Repo repo = repo().write(".env", SECRET);
    Snapshot dirty = repo.capture();
    Files.delete(repo.path(".env"));
    repo.capture();
    repo.write("later", SECRET + " again");
    repo.rewind().look();
    repo.archive().drop(Set.of(dirty.commit()));

    SnapshotHolding found = find(repo).getFirst();
    remove(repo);

    assertThat(found.kept()).isEmpty();
    assertThat(found.unkept()).hasSize(2).contains(dirty.commit());
    assertThat(left(repo)).isEmpty();
    demandSound(repo);
    Snapshot again = repo.capture(); // the file is as it was at the look, and its object is gone
    assertThat(again.commit()).isNotEqualTo(dirty.commit());
    demandSound(repo);
  }

  @Test
  void outsideAndWhatWasInsideBefore() throws IOException {
    Repo repo = repo().write(".env", SECRET);
    repo.capture();
    GitRewind.keepOutside(repo.root(), folder.resolve("outside.git"));
    repo.write("more", SECRET + " more");
    repo.capture();

    List<SnapshotHolding> found = find(repo);
    remove(repo);

    assertThat(found).hasSize(2);
    assertThat(found.get(0).kept()).hasSize(2);
    assertThat(found.get(1).unkept()).hasSize(1);
    assertThat(left(repo)).isEmpty();
    assertThat(left(repo.at(folder.resolve("outside.git")))).isEmpty();
    repo.write(".env", "clean").write("more", "clean");
    repo.capture();
    demandSound(repo);
  }

  @Test
  void ofSha256TooAndInALogOfTheRef() throws IOException {
    Repo repo = Repo.in(folder, "--object-format=sha256").write(".env", SECRET);
    repo.git("config", "core.logAllRefUpdates", "always");
    repo.capture();
    Files.delete(repo.path(".env"));
    repo.capture();
    assertThat(repo.git("reflog", "exists", SnapshotRef.NAME)).isEmpty();
    repo.git("gc", "-q");

    RemovedSnapshots removed = remove(repo).getFirst();

    assertThat(removed.staying()).isEmpty();
    assertThat(left(repo)).isEmpty();
    demandSound(repo);
  }

  @Test
  void packsThatGitIsToKeepAreNamed() throws IOException {
    Repo repo = repo().write(".env", SECRET);
    repo.capture();
    repo.git("gc", "-q");
    for (Path pack : packs(repo)) {
      Files.writeString(Path.of(pack.toString().replaceAll("pack$", "keep")), "");
    }

    RemovedSnapshots removed = remove(repo).getFirst();

    assertThat(removed.staying().values()).isNotEmpty().allMatch(why -> why.contains(".keep"));
    assertThat(left(repo)).hasSize(1);
  }

  private static List<Path> packs(Repo repo) throws IOException {
    try (var files = Files.list(repo.root().resolve(".git/objects/pack"))) {
      return files.filter(file -> file.toString().endsWith(".pack")).toList();
    }
  }

  /// The journal leads to objects that nothing else leads to any more.
  @Test
  void aRemovalThatWasKilledIsCompletedByTheNext() throws IOException {
    Repo repo = repo().write(".env", SECRET);
    Snapshot dirty = repo.capture();
    Path git = repo.root().resolve(".git");
    String blob = repo.git("hash-object", ".env").strip();
    String tree = repo.git("rev-parse", dirty.tree()).strip();
    new RemovalJournal(git).write(Set.of(blob, tree, dirty.commit()));
    repo.git("update-ref", "-d", SnapshotRef.NAME);
    for (String id : List.of(dirty.commit(), tree)) {
      Files.delete(git.resolve("objects/" + id.substring(0, 2) + "/" + id.substring(2)));
    }
    Files.delete(repo.path(".env"));

    SnapshotHolding found = find(repo).getFirst();
    remove(repo);

    assertThat(found.begun()).isTrue();
    assertThat(left(repo)).isEmpty();
    assertThat(find(repo).getFirst().begun()).isFalse();
    demandSound(repo);
  }

  @Test
  void aRestoreThatBrokeOffComesFirst() throws IOException {
    Repo repo = repo().write(".env", SECRET);
    Snapshot dirty = repo.capture();
    repo.write(".env", "clean");
    repo.breakOff(dirty.commit());

    assertThatThrownBy(() -> remove(repo)).isInstanceOf(StoreException.Conflict.class);

    assertThat(repo.rewind().snapshots()).isNotEmpty();
    repo.rewind().finish();
    assertThat(repo.read(".env")).isEqualTo(SECRET);
  }

  @Test
  void aRepositoryThatLacksObjectsIsLeftAsItIs() throws IOException {
    Repo repo = repo().write(".env", SECRET);
    repo.capture();
    String blob = repo.git("rev-parse", "HEAD:a").strip();
    Files.delete(
        repo.root().resolve(".git/objects/" + blob.substring(0, 2) + "/" + blob.substring(2)));

    assertThatThrownBy(() -> remove(repo)).isInstanceOf(StoreException.Corrupt.class);

    assertThat(repo.rewind().snapshots()).hasSize(1);
    assertThat(left(repo)).hasSize(1);
  }

  @Test
  void namedSnapshotsGoWhateverTheyHold() throws IOException {
    Repo repo = repo().write("b", "only here");
    Snapshot named = repo.capture();
    Files.delete(repo.path("b"));
    repo.capture();
    WantedContent wanted =
        new WantedContent(WantedText.of(SECRET).looks(), Set.of(named.commit(), "0".repeat(40)));
    RepositoryErasure erasure = RepositoryErasure.at(repo.root());

    RemovedSnapshots removed = erasure.remove(erasure.find(wanted, () -> {})).getFirst();

    assertThat(removed.snapshots()).containsExactly(named.commit());
    assertThat(removed.staying()).isEqualTo(Map.of());
    assertThat(repo.git("cat-file", "--batch-all-objects", "--batch-check"))
        .doesNotContain(named.commit(), named.tree());
    demandSound(repo);
  }
}
