// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static dev.varve.local.BackupTrial.append;
import static dev.varve.local.BackupTrial.backUp;
import static dev.varve.local.BackupTrial.emptyDisk;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.blob.BlobPack;
import dev.varve.disk.DiskLock;
import dev.varve.disk.SimulatedDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Folders and stores that a backup refuses, and what the refusal leaves as it was.
class StoreBackupRefusalTest {

  private static Furnished furnished;
  private static Furnished other;

  @BeforeAll
  static void furnish() {
    furnished = new Furnished();
    other = new Furnished(7);
  }

  @Test
  void aStoreThatPartedFromTheBackupIsRefusedAndChangesNothing() {
    SimulatedDisk source = furnished.image.disk();
    SimulatedDisk target = emptyDisk();
    try (LocalStore store = Furnished.open(source)) {
      append(store, 0, 5);
      backUp(source, store, target, false);
    }
    DiskImage before = DiskImage.of(target);
    SimulatedDisk old = furnished.image.disk(); // an older copy of the store that went its own way
    try (LocalStore store = Furnished.open(old)) {
      append(store, 50, 5);
      append(store, 60, 20);

      assertThatThrownBy(() -> backUp(old, store, target, false))
          .isInstanceOf(StoreException.Corrupt.class)
          .hasMessageContaining("what the backup in");
      assertThat(backUp(old, store, target, true).problems())
          .isNotEmpty()
          .allMatch(problem -> problem.what().contains("they have parted"));
    }
    assertThat(DiskImage.of(target).names()).isEqualTo(before.names());
    for (String file : before.names()) {
      assertThat(DiskImage.of(target).file(file)).isEqualTo(before.file(file));
    }
  }

  @Test
  void aStoreThatIsShorterThanTheBackupIsRefused() {
    SimulatedDisk source = furnished.image.disk();
    SimulatedDisk target = emptyDisk();
    try (LocalStore store = Furnished.open(source)) {
      append(store, 0, 5);
      backUp(source, store, target, false);
    }
    SimulatedDisk old = furnished.image.disk();
    try (LocalStore store = Furnished.open(old)) {
      assertThatThrownBy(() -> backUp(old, store, target, false))
          .isInstanceOf(StoreException.Corrupt.class)
          .hasMessageContaining("bytes of the backup");
    }
  }

  @Test
  void theBackupOfAnotherStoreIsRefused() {
    SimulatedDisk source = furnished.image.disk();
    SimulatedDisk target = emptyDisk();
    try (LocalStore store = Furnished.open(source)) {
      backUp(source, store, target, false);
    }
    SimulatedDisk second = other.image.disk();
    try (LocalStore store = Furnished.open(second)) {
      assertThatThrownBy(() -> backUp(second, store, target, false))
          .isInstanceOf(StoreException.Conflict.class)
          .hasMessageContaining(store.storeId().toString());
    }
  }

  @Test
  void aFolderWithOtherFilesIsRefused() {
    SimulatedDisk source = furnished.image.disk();
    SimulatedDisk target = emptyDisk();
    target.open("notes.txt").close();
    try (LocalStore store = Furnished.open(source)) {
      assertThatThrownBy(() -> backUp(source, store, target, false))
          .isInstanceOf(StoreException.Conflict.class)
          .hasMessageContaining("other files");
    }
    assertThat(target.names()).doesNotContain(BlobPack.FILE);
  }

  @Test
  void aFolderWithinTheStoreIsRefused(@TempDir Path folder) throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("store"));
    try (LocalStore store = LocalStore.open(folder.resolve("store"), StoreOptions.DEFAULTS)) {
      for (Path inside : List.of(folder.resolve("store"), link, link.resolve("a").resolve("b"))) {
        assertThatThrownBy(
                () -> StoreBackup.begin(folder.resolve("store"), store.backupPoint(), inside))
            .isInstanceOf(StoreException.Invalid.class)
            .hasMessageContaining("outside the store");
      }
    }
    assertThat(folder.resolve("store").resolve("a")).doesNotExist();
  }

  @Test
  void aFolderInUseIsRefused() {
    SimulatedDisk source = furnished.image.disk();
    SimulatedDisk target = emptyDisk();
    try (LocalStore store = Furnished.open(source);
        DiskLock _ = target.lock(LocalStore.LOCK, "somebody")) {
      assertThatThrownBy(() -> backUp(source, store, target, false))
          .isInstanceOf(StoreException.Busy.class)
          .hasMessageContaining("somebody");
    }
  }

  @Test
  void aCopyThatWasWrittenToAsAStoreIsRefused() {
    SimulatedDisk source = furnished.image.disk();
    SimulatedDisk target = emptyDisk();
    try (LocalStore store = Furnished.open(source)) {
      backUp(source, store, target, false);
      try (LocalStore copy = Furnished.open(target)) {
        append(copy, 500, 1);
      }
      append(store, 0, 2);
      assertThatThrownBy(() -> backUp(source, store, target, false))
          .isInstanceOf(StoreException.Corrupt.class);
    }
  }

  @Test
  void aCopyThatIsNotClosedIsRefused() {
    SimulatedDisk source = furnished.image.disk();
    SimulatedDisk target = emptyDisk();
    try (LocalStore store = Furnished.open(source)) {
      backUp(source, store, target, false);
      LocalStore copy = Furnished.open(target);
      append(copy, 500, 1);
      SimulatedDisk killed = target.kill();

      assertThatThrownBy(() -> backUp(source, store, killed, false))
          .isInstanceOf(StoreException.Conflict.class)
          .hasMessageContaining("varve check");
    }
  }
}
