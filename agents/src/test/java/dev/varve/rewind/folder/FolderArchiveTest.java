// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.ContextHead;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.git.RepoPath;
import dev.varve.rewind.LeftOut;
import dev.varve.rewind.PathSelection;
import dev.varve.rewind.PlannedPath.Action;
import dev.varve.rewind.Repo;
import dev.varve.rewind.RestoreOutcome;
import dev.varve.rewind.RestorePlan;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.Snapshot;
import dev.varve.tree.StoredTrees;
import dev.varve.tree.TurnTrees;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What snapshots in a store do beyond those in git. No git is run.
final class FolderArchiveTest {

  @TempDir Path folder;
  private Repo repo;
  private CountedAccess access;
  private long bytesRead;
  private final List<String> filesRead = new ArrayList<>();

  @BeforeEach
  void start() {
    repo = Repo.plain(folder);
    access = new CountedAccess(folder.resolve("store"));
  }

  private Rewind rewind() {
    return Rewind.of(
        FolderArchive.at(
            repo.root(), access, this::open, InstantSource.system(), Rewind.FILE_BYTES_MAX_DEFAULT),
        InstantSource.system());
  }

  private InputStream open(Path file) throws IOException {
    filesRead.add(file.getFileName().toString());
    return new FilterInputStream(ContentReader.Opener.PLAIN.open(file)) {
      @Override
      public int read(byte[] buffer, int offset, int length) throws IOException {
        int read = super.read(buffer, offset, length);
        bytesRead += Math.max(0, read);
        return read;
      }
    };
  }

  private RestoreOutcome restore(Snapshot target) {
    Rewind rewind = rewind();
    return rewind.restore(rewind.plan(target, new PathSelection.Everything()));
  }

  private static List<String> kept(RestorePlan plan) {
    return plan.paths().stream()
        .filter(path -> path.action() == Action.KEEP)
        .map(path -> path.path() + ": " + path.why())
        .toList();
  }

  /// Times of long ago, so that no capture can doubt them.
  private void age() {
    repo.run("sh", "-c", "find . -exec touch -h -d 2001-01-01T00:00:01.5 {} +; sleep 0.05");
  }

  @Test
  void whatDidNotChangeIsNotReadAndTheStoreIsNotOpened() throws IOException {
    repo.write("big", "x".repeat(3_000_000)).write("src/a", "1").write("src/b", "1");
    age();
    Snapshot first = rewind().capture("");
    bytesRead = 0;
    int opened = access.opened();

    assertThat(rewind().capture("").commit()).isEqualTo(first.commit());
    assertThat(bytesRead).isZero();
    assertThat(access.opened()).isEqualTo(opened);

    repo.write("src/a", "two");
    filesRead.clear();
    rewind().capture("");
    assertThat(filesRead).containsExactly("a");
    assertThat(bytesRead).isEqualTo(3);
    assertThat(access.opened()).as("opened once").isEqualTo(opened + 1);
  }

  @Test
  void aChangeThatLeavesSizeAndTimeIsSeen() throws IOException {
    repo.write("a", "1");
    age();
    Snapshot first = rewind().capture("");
    repo.write("a", "2");
    repo.run("touch", "-h", "-d", "2001-01-01T00:00:01.5", "a");

    assertThat(rewind().capture("").tree()).isNotEqualTo(first.tree());
  }

  @Test
  void aSnapshotIsATurnWithAFileTree() throws IOException {
    repo.write("src/a.txt", "hello").write("tool", "t");
    repo.permit("tool", "rwxr-x---");
    Snapshot snapshot = rewind().capture("before");

    try (Store store = access.open()) {
      ContextHead context = store.contexts(null, 10).getFirst();
      TurnTrees.Snapshot found = TurnTrees.at(store, context.head()).orElseThrow();
      StoredTrees trees = new StoredTrees(store::get);
      assertThat(found.root()).isEqualTo(BlobHash.parse(snapshot.tree()));
      assertThat(store.get(trees.entry(found.root(), "src/a.txt").hash()).text())
          .isEqualTo("hello");
      assertThat(trees.entry(found.root(), "tool").mode()).isEqualTo(0750);
      assertThat(store.get(context.about()).text()).contains("varve.rewind");
    }
  }

  @Test
  void e20EmptyFoldersAndTheirPermissionsComeBack() throws IOException {
    Files.createDirectories(repo.path("empty/inner"));
    Files.createDirectories(repo.path("private"));
    repo.write("full/a", "1");
    repo.permit("private", "rwx------");
    Snapshot snapshot = rewind().capture("");
    Files.delete(repo.path("empty/inner"));
    Files.delete(repo.path("empty"));
    Files.delete(repo.path("private"));
    Files.delete(repo.path("full/a"));
    Files.createDirectories(repo.path("new/er"));

    assertThat(restore(snapshot).exact()).isTrue();
    assertThat(repo.path("empty/inner")).isEmptyDirectory();
    assertThat(repo.path("new")).doesNotExist();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(repo.path("private"))))
        .isEqualTo("rwx------");
    Rewind rewind = rewind();
    assertThat(rewind.undo(rewind.planUndo()).exact()).isTrue();
    assertThat(repo.path("empty")).doesNotExist();
    assertThat(repo.path("full")).isEmptyDirectory();
    assertThat(repo.path("new/er")).isEmptyDirectory();
  }

  @Test
  void aFolderThatARestoreEmptiesStaysIfItWasThere() throws IOException {
    Files.createDirectories(repo.path("logs"));
    Snapshot snapshot = rewind().capture("");
    repo.write("logs/today", "1");

    assertThat(restore(snapshot).exact()).isTrue();
    assertThat(repo.path("logs")).isEmptyDirectory();
  }

  @Test
  void filesAndFoldersTakeEachOthersPlaces() throws IOException {
    repo.write("x", "file").write("y/in", "1");
    Files.createDirectories(repo.path("z"));
    Map<RepoPath, String> then = repo.files();
    Snapshot snapshot = rewind().capture("");
    Files.delete(repo.path("x"));
    Files.createDirectories(repo.path("x"));
    Files.delete(repo.path("y/in"));
    Files.delete(repo.path("y"));
    repo.write("y", "a file now");
    Files.delete(repo.path("z"));
    repo.link("z", "nowhere//at/all/");

    assertThat(restore(snapshot).exact()).isTrue();
    assertThat(repo.files()).isEqualTo(then);
    assertThat(repo.path("z")).isEmptyDirectory();
    Rewind rewind = rewind();
    rewind.undo(rewind.planUndo());
    assertThat(repo.path("x")).isEmptyDirectory();
    assertThat(repo.read("y")).isEqualTo("a file now");
    assertThat(repo.run("readlink", "z")).isEqualTo("nowhere//at/all/\n");
  }

  @Test
  void whatLinksSayIsKeptToTheByte() throws IOException {
    List<byte[]> targets =
        List.of(
            "a//b/".getBytes(UTF_8),
            "ü".getBytes(UTF_8),
            new byte[] {'x', (byte) 0xff, '/', '/', (byte) 0x80},
            new byte[] {'/', (byte) 0xfe},
            "../..".getBytes(UTF_8),
            "/".getBytes(UTF_8));
    for (int i = 0; i < targets.size(); i++) {
      SymbolicLinks.create(repo.path("l" + i), targets.get(i));
      assertThat(SymbolicLinks.read(repo.path("l" + i))).isEqualTo(targets.get(i));
    }
    Map<RepoPath, String> then = repo.files();
    Snapshot snapshot = rewind().capture("");
    for (int i = 0; i < targets.size(); i++) {
      Files.delete(repo.path("l" + i));
    }

    assertThat(restore(snapshot).exact()).isTrue();
    assertThat(repo.files()).isEqualTo(then);
  }

  @Test
  void whatIsIgnoredIsNeitherCapturedNorDeletedNorOverwritten() throws IOException {
    repo.write(".varveignore", "*.log\n!keep.log\n/build/\n");
    repo.write("run.log", "1").write("keep.log", "1").write("build/out", "1").write("a", "1");
    Snapshot snapshot = rewind().capture("");
    repo.write("run.log", "2").write("build/more", "2").write("keep.log", "2").write("a", "2");
    repo.write(".varveignore", "");
    rewind().capture("");

    RestoreOutcome outcome = restore(snapshot);

    assertThat(rewind().has(snapshot, RepoPath.of("run.log"))).isFalse();
    assertThat(kept(outcome.plan()))
        .contains("run.log: was ignored then", "build/more: was ignored then");
    assertThat(repo.read("run.log") + repo.read("build/more")).isEqualTo("22");
    assertThat(repo.read("keep.log") + repo.read("a")).isEqualTo("11");
  }

  @Test
  void aRepositoryInsideIsToldAndNeverTouched() throws IOException {
    repo.write("a", "1");
    Snapshot snapshot = rewind().capture("");
    repo.write("nested/.git/HEAD", "ref").write("nested/f", "history").write("a", "2");

    RestoreOutcome outcome = restore(snapshot);

    assertThat(outcome.plan().now().metadata().orElseThrow().leftOut())
        .containsExactly(Map.entry(RepoPath.of("nested/"), LeftOut.REPOSITORY));
    assertThat(repo.read("nested/f") + repo.read("a")).isEqualTo("history1");
  }

  @Test
  void theFoldersOwnRepositoryIsNotLookedInto() throws IOException {
    repo.write(".git/HEAD", "ref").write("a", "1").write("sub/b", "1");
    Snapshot snapshot =
        Rewind.of(repo.at(repo.path("sub")).archive(), InstantSource.system()).capture("");

    assertThat(rewind().has(snapshot, RepoPath.of("a"))).isTrue();
    assertThat(rewind().has(snapshot, RepoPath.of(".git/HEAD"))).isFalse();
    assertThat(snapshot.metadata().orElseThrow().leftOut()).isEmpty();
  }

  @Test
  void aStoreInTheFolderIsNotCaptured() throws IOException {
    access = new CountedAccess(repo.path("data/store"));
    repo.write("a", "1");
    Snapshot snapshot = rewind().capture("");
    repo.write("a", "2");

    assertThat(restore(snapshot).exact()).isTrue();
    assertThat(snapshot.metadata().orElseThrow().leftOut())
        .containsExactly(Map.entry(RepoPath.of("data/store/"), LeftOut.OWN));
    assertThat(rewind().check().problems()).isEmpty();
  }

  @Test
  void anotherStoreInItsPlaceIsToldEverything() throws IOException {
    repo.write("a", "1");
    age();
    Snapshot lost = rewind().capture("");
    repo.run("rm", "-r", access.folder().toString());

    Snapshot snapshot = rewind().capture("");
    repo.write("a", "2");

    assertThatThrownBy(() -> rewind().snapshot(lost.commit().replace('0', '1')))
        .isInstanceOf(StoreException.NotFound.class);
    assertThat(restore(snapshot).exact()).isTrue();
    assertThat(rewind().check().problems()).isEmpty();
  }

  @Test
  void damagedNotesCostTimeOnly() throws IOException {
    repo.write("a", "1").write("b", "1");
    Snapshot first = rewind().capture("");
    Path notes = repo.archive().folder();
    Files.writeString(notes.resolve("notes"), "garbage");
    assertThat(rewind().capture("").commit()).isEqualTo(first.commit());
    Files.writeString(notes.resolve("last"), "garbage");
    assertThat(rewind().capture("").tree()).isEqualTo(first.tree());
    Files.writeString(notes.resolve("context"), "99");
    assertThat(rewind().snapshots()).extracting(Snapshot::commit).contains(first.commit());
  }

  @Test
  void contentThatIsLostIsTold() throws IOException {
    repo.write("a", "1");
    Snapshot snapshot = rewind().capture("");
    try (Store store = access.open()) {
      BlobHash root = BlobHash.parse(snapshot.tree());
      String text =
          "{\"kind\":\"varve.rewind.Checkpoint\",\"at\":\"2026-01-01T00:00:00Z\",\"fs_root\":\""
              + "11".repeat(32)
              + "\"}";
      new SnapshotContext(repo.root(), repo.archive().folder())
          .add(store, dev.varve.Payload.utf8(text), root);
    }

    assertThat(rewind().check().problems()).hasSize(1).first().asString().contains("not found");
    assertThat(rewind().check().snapshots()).isEqualTo(2);
  }

  @Test
  void theWholeHomeIsRefused() {
    Path home = Path.of(System.getProperty("user.home"));
    for (Path wrong : List.of(home, home.getRoot(), repo.path(".git"), access.folder())) {
      repo.run("mkdir", "-p", repo.path(".git").toString(), access.folder().toString());
      assertThatThrownBy(() -> FolderArchive.at(wrong, access, InstantSource.system(), 1L))
          .as("%s", wrong)
          .isInstanceOf(StoreException.Invalid.class);
    }
  }

  @Test
  void differencesReadAsGitWritesThem() throws IOException {
    repo.write("a", "one\ntwo\nthree\n").write("gone", "x\n").write("ü", "1");
    Snapshot first = rewind().capture("");
    repo.write("a", "one\n2\nthree").write("new\nline", "n\n").write("ü", "\0");
    Files.delete(repo.path("gone"));
    Files.createDirectories(repo.path("empty"));
    Snapshot second = rewind().capture("");

    assertThat(new String(rewind().diff(first, second, false), UTF_8))
        .isEqualTo(
            """
            diff --git a/a b/a
            --- a/a
            +++ b/a
            @@ -1,3 +1,3 @@
             one
            -two
            -three
            +2
            +three
            \\ No newline at end of file
            Folder made: empty
            diff --git a/gone b/gone
            deleted file mode 100644
            --- a/gone
            +++ /dev/null
            @@ -1,1 +0,0 @@
            -x
            diff --git "a/new\\nline" "b/new\\nline"
            new file mode 100644
            --- /dev/null
            +++ "b/new\\nline"
            @@ -0,0 +1,1 @@
            +n
            diff --git "a/\\303\\274" "b/\\303\\274"
            Binary files "a/\\303\\274" and "b/\\303\\274" differ
            """);
    assertThat(new String(rewind().diff(first, second, true), UTF_8))
        .contains(" a           | 4 ++--", "4 files changed, 3 insertions(+), 3 deletions(-)");
  }

  @Test
  void whatIsTooMuchIsRefusedAndWhatLiesInItIsNot() {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    Path home = Path.of(System.getProperty("user.home"));
    for (Path large : List.of(Path.of("/"), home, home.getParent(), temporary)) {
      assertThatThrownBy(() -> Repo.plain(folder).at(large).archive())
          .as(large.toString())
          .isInstanceOf(StoreException.Invalid.class)
          .hasMessageContaining("too much to be captured");
    }
    assertThat(repo.archive().root()).isEqualTo(repo.root());
  }

  @Test
  void theDoctorReadsEveryContent() throws IOException {
    byte[] content = new byte[200_000];
    new Random(1).nextBytes(content);
    Repo repo = Repo.plain(folder).write(RepoPath.of("a"), content);
    repo.capture();
    assertThat(repo.rewind().check().problems()).isEmpty();

    Path pack = folder.resolve("store").resolve("blobs.pack");
    byte[] bytes = Files.readAllBytes(pack);
    bytes[content.length / 2] ^= 1;
    Files.write(pack, bytes);

    assertThat(repo.rewind().check().problems()).hasSize(1);
  }
}
