// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A log file, also while another program rotates it.
final class LogFileTest {

  @TempDir Path folder;
  private Path path;
  private Path old;

  @BeforeEach
  void names() {
    path = folder.resolve("log");
    old = folder.resolve("log.1");
  }

  @Test
  void onlyTheOwnerMayReadANewFileAndAnOlderFileKeepsItsRights() throws IOException {
    LogFile.open(path).close();
    Files.writeString(old, "before\n");
    Files.setPosixFilePermissions(old, PosixFilePermissions.fromString("rw-r-----"));
    LogFile.open(old).close();

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(old)))
        .isEqualTo("rw-r-----");
    assertThat(old).hasContent("before\n");
  }

  @Test
  void theNextLineAfterTheFileWasMovedAwayGoesToANewFile() throws IOException {
    LogFile log = LogFile.open(path, 0);
    log.write("one\n");
    Files.move(path, old);
    log.write("two\n");
    log.write("three\n");
    log.close();

    assertThat(old).hasContent("one\n");
    assertThat(path).hasContent("two\nthree\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rw-------");
  }

  @Test
  void aFileThatWasMadeInItsPlaceIsWrittenTo() throws IOException {
    LogFile log = LogFile.open(path, 0);
    log.write("one\n");
    Files.move(path, old);
    Files.writeString(path, "made by another program\n");
    log.write("two\n");
    log.close();

    assertThat(path).hasContent("made by another program\ntwo\n");
  }

  @Test
  void aFileThatWasCopiedAndTruncatedIsContinuedFromItsBeginning() throws IOException {
    LogFile log = LogFile.open(path, 0);
    log.write("one\n");
    Files.copy(path, old);
    FileChannel.open(path, StandardOpenOption.WRITE).truncate(0).close();
    log.write("two\n");
    log.close();

    assertThat(old).hasContent("one\n");
    assertThat(path).hasContent("two\n");
  }

  @Test
  void anInterruptedWriterLosesNothing() throws IOException {
    LogFile log = LogFile.open(path);
    Thread.currentThread().interrupt();
    log.write("one\n");
    assertThat(Thread.interrupted()).isTrue();
    log.write("two\n");
    log.close();

    assertThat(path).hasContent("one\ntwo\n");
  }

  @Test
  void aFileThatCannotBeMadeIsRefusedByName() {
    Path nowhere = folder.resolve("none").resolve("log");
    assertThatThrownBy(() -> LogFile.open(nowhere))
        .isInstanceOf(StoreException.Io.class)
        .hasMessageContaining(nowhere.toString());
  }
}
