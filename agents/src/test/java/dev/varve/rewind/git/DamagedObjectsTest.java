// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.rewind.Repo;
import dev.varve.rewind.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Objects and files of ours that are damaged after a snapshot was taken.
final class DamagedObjectsTest {

  @TempDir Path folder;
  private Repo repo;

  @BeforeEach
  void make() throws IOException {
    repo = Repo.in(folder).write("a", "1").write("d/e/b", "what is to be kept").write("d/c", "3");
  }

  private void spoil(Path file, int at, boolean emptied) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    bytes[at < 0 ? bytes.length / 2 : at] ^= 0x10;
    Files.write(file, emptied ? new byte[0] : bytes);
  }

  /// Captures the same files again, and restores them from nothing.
  private void demandSoundAgain() throws IOException {
    Snapshot later = repo.rewind().capture("again");
    assertThat(repo.git("rev-list", "--objects", "--no-walk", later.commit())).isNotEmpty();
    Files.delete(repo.path("a"));
    Files.delete(repo.path("d/e/b"));
    Files.delete(repo.path("d/c"));
    assertThat(repo.restore(later).exact()).isTrue();
    assertThat(repo.read("d/e/b")).isEqualTo("what is to be kept");
  }

  @ParameterizedTest
  @CsvSource({
    "d, true",
    "d, false",
    "d/e, true",
    "d/e, false",
    "'', true",
    "'', false",
    "d/e/b, true"
  })
  void aLooseObjectIsFoundByTheDoctorAndWrittenAgain(String path, boolean emptied)
      throws IOException {
    Snapshot snapshot = repo.capture();
    String id = repo.git("rev-parse", snapshot.commit() + ":" + path).strip();
    spoil(object(id), -1, emptied);

    assertThat(repo.rewind().check().problems()).isNotEmpty();
    demandSoundAgain();
  }

  @Test
  void aDamagedCommitIsFoundByTheDoctorAndALaterSnapshotIsWhole() throws IOException {
    repo.capture();
    repo.write("a", "2");
    Snapshot snapshot = repo.capture();
    spoil(object(snapshot.commit()), -1, false);

    assertThat(repo.rewind().check().problems()).isNotEmpty();
    demandSoundAgain();
  }

  @ParameterizedTest
  @ValueSource(strings = {"d/e/b", "d/e", "d"})
  void aPackedObjectIsFoundByTheDoctorAndWrittenAgain(String path) throws IOException {
    Snapshot snapshot = repo.capture();
    String id = repo.git("rev-parse", snapshot.commit() + ":" + path).strip();
    spoilPacked(id);

    assertThat(repo.rewind().check().problems()).isNotEmpty();
    demandSoundAgain();
  }

  /// The user's own commit is packed and damaged before anybody takes a snapshot.
  @ParameterizedTest
  @ValueSource(strings = {"a", "d/e/b", "d/e", "d", ""})
  void theFirstCaptureIsNotBuiltOnADamagedPack(String path) throws IOException {
    repo.gitAs("add", "-A");
    repo.gitAs("commit", "-qm", "first");
    spoilPacked(repo.git("rev-parse", "HEAD:" + path).strip());

    Snapshot first = repo.capture();
    assertThat(repo.rewind().check().problems()).isEmpty();
    Files.delete(repo.path("a"));
    Files.delete(repo.path("d/e/b"));
    Files.delete(repo.path("d/c"));
    assertThat(repo.restore(first).exact()).isTrue();
    assertThat(repo.read("d/e/b")).isEqualTo("what is to be kept");
  }

  /// The doctor was not asked: what a capture finds changed is read.
  @Test
  void anObjectThatAChangeNeedsIsReadBeforeASnapshotIsBuiltOnIt() throws IOException {
    Snapshot first = repo.capture();
    String tree = repo.git("rev-parse", first.commit() + ":d/e").strip();
    String blob = repo.git("rev-parse", first.commit() + ":d/e/b").strip();
    repo.write("d/e/b", "another");
    repo.capture();
    spoilPacked(blob);
    if (Files.exists(object(tree))) {
      spoil(object(tree), -1, true);
    }

    repo.write("d/e/b", "what is to be kept");
    demandSoundAgain();
  }

  /// A power cut may leave a file of the right length with nothing but NULs.
  @ParameterizedTest
  @ValueSource(ints = {0, 41})
  void aHeadOfNulsHidesNoSnapshot(int length) throws IOException {
    Snapshot first = repo.capture();
    repo.write("a", "2");
    Files.write(repo.path(".git/varve-rewind/HEAD"), new byte[length]);

    assertThat(repo.rewind().snapshot(first.commit()).tree()).isEqualTo(first.tree());
    assertThat(repo.rewind().snapshots()).hasSize(1);
    assertThat(repo.restore(first).exact()).isTrue();
    assertThat(repo.read("a")).isEqualTo("1");
  }

  @Test
  void settingsOfNulsHideNoSnapshot() throws IOException {
    Snapshot first = repo.capture();
    repo.write("a", "2");
    Files.write(repo.path(".git/varve-rewind/config"), new byte[300]);

    assertThat(repo.rewind().snapshot(first.commit()).tree()).isEqualTo(first.tree());
    assertThat(repo.rewind().diff(first, repo.rewind().look(), true)).isNotEmpty();
    assertThat(repo.restore(first).exact()).isTrue();
  }

  /// Git takes a damaged ref for one that is not there: a new list would forget every snapshot.
  @ParameterizedTest
  @ValueSource(ints = {0, 41})
  void aDamagedListOfSnapshotsIsReportedAndNotTakenForNone(int length) throws IOException {
    repo.capture();
    repo.write("a", "2");
    Path ref = repo.path(".git/" + SnapshotRef.NAME);
    Files.write(ref, new byte[length]);

    for (ThrowingCallable each :
        new ThrowingCallable[] {() -> repo.rewind().snapshots(), () -> repo.capture()}) {
      assertThatThrownBy(each)
          .isInstanceOf(StoreException.Corrupt.class)
          .hasMessageContaining(length + " other bytes");
    }
    assertThat(repo.rewind().check().problems())
        .anyMatch(problem -> problem.startsWith("The list of snapshots is damaged"));
    assertThat(ref).hasSize(length);
  }

  @Test
  void aDamagedHistoryOfRestoresIsNotAnEmptyOne() throws IOException {
    Snapshot first = repo.capture();
    repo.write("a", "2");
    repo.restore(first);
    Files.write(repo.path(".git/varve-rewind/operations"), new byte[100]);

    for (ThrowingCallable each :
        new ThrowingCallable[] {
          () -> repo.rewind().planUndo(),
          () -> repo.rewind().planRedo(),
          () -> repo.rewind().demandHistory()
        }) {
      assertThatThrownBy(each)
          .isInstanceOf(StoreException.Corrupt.class)
          .hasMessageContaining("operations");
    }
    repo.write("a", "3");
    assertThat(repo.restore(first).exact()).as("a restore begins another history").isTrue();
    repo.rewind().undo(repo.rewind().planUndo());
    assertThat(repo.read("a")).isEqualTo("3");
  }

  private Path object(String id) {
    return repo.path(".git/objects/" + id.substring(0, 2) + "/" + id.substring(2));
  }

  private void spoilPacked(String id) throws IOException {
    repo.git("-c", "pack.depth=0", "repack", "-adfq");
    repo.git("prune-packed");
    Path pack;
    try (var packs = Files.newDirectoryStream(repo.path(".git/objects/pack"), "*.pack")) {
      pack = packs.iterator().next();
    }
    String line =
        repo.git("verify-pack", "-v", pack.toString())
            .lines()
            .filter(each -> each.startsWith(id))
            .findFirst()
            .orElseThrow();
    String[] words = line.split(" +", -1);
    int offset = Integer.parseInt(words[4]);
    spoil(pack, offset + Integer.parseInt(words[3]) - 3, false);
  }
}
