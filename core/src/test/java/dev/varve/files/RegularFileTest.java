// SPDX-License-Identifier: Apache-2.0
package dev.varve.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RegularFileTest {

  @TempDir Path folder;

  private Path pipe() throws IOException, InterruptedException {
    Path pipe = folder.resolve("pipe");
    Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
    assertThat(made.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return pipe;
  }

  @Test
  void aPipeIsRefusedBeforeItIsOpened() throws Exception {
    Path pipe = pipe();

    assertThatThrownBy(() -> RegularFile.read(pipe))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("expected a regular file, found a pipe");
    assertThatThrownBy(
            () -> RegularFile.open(pipe, StandardOpenOption.CREATE, StandardOpenOption.WRITE))
        .hasMessageContaining("expected a regular file, found a pipe");
  }

  @Test
  void aLinkToAPipeIsRefusedToo() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("link"), pipe());

    assertThatThrownBy(() -> RegularFile.read(link)).hasMessageContaining("found a pipe");
    assertThatThrownBy(() -> RegularFile.read(link, LinkOption.NOFOLLOW_LINKS))
        .hasMessageContaining("found a symbolic link");
  }

  @Test
  void aFolderIsRefusedByName() {
    assertThatThrownBy(() -> RegularFile.read(folder)).hasMessageContaining("found a folder");
  }

  @Test
  void whatIsAbsentIsSaidToBe() {
    assertThatThrownBy(() -> RegularFile.read(folder.resolve("none")))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> RegularFile.open(folder.resolve("none"), StandardOpenOption.READ))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void aFileIsOpenedAndANewOneMade() throws IOException {
    Path file = folder.resolve("file");
    try (FileChannel channel =
        RegularFile.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      assertThat(channel.size()).isZero();
    }
    Files.writeString(file, "hello");

    try (InputStream in = RegularFile.read(file)) {
      assertThat(in.readAllBytes()).hasSize(5);
    }
  }
}
