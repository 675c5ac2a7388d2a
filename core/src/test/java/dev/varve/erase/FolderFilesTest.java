// SPDX-License-Identifier: Apache-2.0
package dev.varve.erase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.disk.DiskLock;
import dev.varve.disk.LocalDisk;
import dev.varve.disk.LockHolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FolderFilesTest {

  @TempDir Path folder;

  /// A process frees its lock of a file when the process closes any handle of the file.
  @Test
  void aLockThatThisProcessHoldsStays() throws Exception {
    List<String> read = new ArrayList<>();
    Files.writeString(folder.resolve("blobs.pack"), "content");
    try (DiskLock _ = LocalDisk.open(folder).lock("lock", "this process")) {
      FolderFiles.read(folder, (name, _) -> read.add(name));

      Process other = LockHolder.start(folder, "lock", "the other");
      other.outputWriter().close();
      assertThat(other.inputReader().readLine()).endsWith("lock: in use by this process");
      other.waitFor();
    }
    assertThat(read).containsExactly("blobs.pack");
  }

  @Test
  void aFileThatGoesAwayMeanwhileIsPassedOver() throws IOException {
    List<String> read = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      Files.writeString(folder.resolve(name), name);
    }
    FolderFiles.read(
        folder,
        (name, _) -> {
          read.add(name);
          Files.deleteIfExists(folder.resolve("b"));
        });
    assertThat(read).containsExactly("a", "c");
  }

  @Test
  void aFolderThatIsNotThereIsRefused() {
    assertThatThrownBy(() -> FolderFiles.read(folder.resolve("absent"), (_, _) -> {}))
        .isInstanceOf(NoSuchFileException.class);
  }
}
