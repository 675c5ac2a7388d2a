// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.StoreException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiskErrorsTest {

  @TempDir Path temp;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "No space left on device",
        "Disk quota exceeded",
        "There is not enough space on the disk",
        "The disk is full"
      })
  void aSystemThatHasNoRoomIsUnderstood(String message) {
    Path file = temp.resolve("a");
    assertThat(DiskErrors.ofWrite(file, "write", 1, new IOException(message)))
        .isInstanceOf(StoreException.Full.class);
    assertThat(DiskErrors.ofWrite(file, "open", 0, new FileSystemException("a", null, message)))
        .isInstanceOf(StoreException.Full.class);
  }

  @Test
  void aDiskWithLessRoomThanWasAskedIsFullInAnyLanguage() {
    IOException german = new IOException("Auf dem Gerät ist kein Speicherplatz mehr verfügbar");
    assertThat(DiskErrors.ofWrite(temp.resolve("a"), "write", Long.MAX_VALUE, german))
        .isInstanceOf(StoreException.Full.class)
        .hasCause(german);
    assertThat(DiskErrors.ofWrite(temp.resolve("a"), "write", 1, german))
        .isInstanceOf(StoreException.Io.class);
  }

  @Test
  void aDiskThatIsGoneIsNotFull() {
    IOException gone = new IOException("Input/output error");
    assertThat(DiskErrors.ofWrite(temp.resolve("gone/a"), "write at byte 7", 1, gone))
        .isInstanceOf(StoreException.Io.class)
        .hasMessage(temp.resolve("gone/a") + ": write at byte 7: Input/output error")
        .hasCause(gone);
  }

  @Test
  void aReasonIsGivenEvenIfTheSystemGivesNone() {
    assertThat(DiskErrors.of(temp.resolve("a"), "open", new AccessDeniedException("a")))
        .hasMessageEndingWith("a: open: permission denied");
    assertThat(DiskErrors.of(temp.resolve("a"), "create folder", new NoSuchFileException("a")))
        .hasMessageEndingWith("a: create folder: no such file or folder");
    assertThat(
            DiskErrors.of(temp.resolve("a"), "create folder", new FileAlreadyExistsException("a")))
        .hasMessageEndingWith("a: create folder: something else is there");
    assertThat(DiskErrors.of(temp.resolve("a"), "list", new NotDirectoryException("a")))
        .hasMessageEndingWith("a: list: not a folder");
    assertThat(DiskErrors.of(temp.resolve("a"), "read", new IOException()))
        .hasMessageEndingWith("a: read: IOException");
  }

  @Test
  void aClosedFileIsClosedWhateverWasTried() {
    assertThat(DiskErrors.of(temp.resolve("a"), "read", new ClosedChannelException()))
        .isInstanceOf(StoreException.Closed.class);
    assertThat(DiskErrors.ofWrite(temp.resolve("a"), "write", 9, new ClosedChannelException()))
        .isInstanceOf(StoreException.Closed.class);
  }
}
