// SPDX-License-Identifier: Apache-2.0
package dev.varve.git;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.varve.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class IndexEntryTest {

  @TempDir Path folder;

  private Path repository(String format) throws IOException {
    Git git = Git.in(folder);
    git.run("init", "-q", "--object-format=" + format);
    for (int i = 1; i <= 20; i++) {
      write("d/" + "n".repeat(i), "content " + i);
    }
    RepoPath odd = RepoPath.of("caf\u00e9 \u00ff\n".getBytes(ISO_8859_1));
    Files.writeString(odd.under(folder), "odd");
    Files.createSymbolicLink(folder.resolve("link"), Path.of("d"));
    write("run", "#!/bin/sh\n");
    folder.resolve("run").toFile().setExecutable(true);
    git.run("add", "-A");
    return folder.resolve(".git/index");
  }

  private void write(String name, String content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  @ParameterizedTest
  @CsvSource({"sha1,2", "sha256,2", "sha1,3"})
  void theEntriesAreThoseThatGitLists(String format, String version) throws IOException {
    Path index = repository(format);
    Git git = Git.in(folder);
    if (version.equals("3")) {
      write("later", "not added yet");
      git.run("add", "--intent-to-add", "later"); // needs the extended flags of version 3
    }
    assertThat(ByteBuffer.wrap(Files.readAllBytes(index)).getInt(4))
        .isEqualTo(version.charAt(0) - '0');

    List<String> ours =
        IndexEntry.read(index, format.equals("sha1") ? 20 : 32).stream()
            .map(entry -> "%06o %s %s".formatted(entry.mode(), entry.id(), entry.path().escaped()))
            .toList();

    List<String> gits =
        RepoPath.list(git.run("ls-files", "-z", "--stage")).stream()
            .map(line -> new String(line.bytes(), ISO_8859_1).replaceFirst(" 0\t", " "))
            .map(
                line ->
                    line.substring(0, line.lastIndexOf(' ') < 7 ? 0 : line.indexOf(' ', 7) + 1)
                        + RepoPath.of(line.substring(line.indexOf(' ', 7) + 1).getBytes(ISO_8859_1))
                            .escaped())
            .toList();
    assertThat(ours).isEqualTo(gits).hasSizeGreaterThan(20);
  }

  @Test
  void theFactsOfAFileAreThoseOfTheFileSystem() throws IOException {
    Path index = repository("sha1");
    Path file = folder.resolve("run");

    IndexEntry entry =
        IndexEntry.read(index, 20).stream()
            .filter(each -> each.path().equals(RepoPath.of("run")))
            .findFirst()
            .orElseThrow();

    assertThat(entry.stat().sizeBytes()).isEqualTo((int) Files.size(file));
    assertThat(entry.stat().modifiedAt() / 1_000_000_000L)
        .isEqualTo(Files.getLastModifiedTime(file).toInstant().getEpochSecond());
    assertThat(entry.stat().inode())
        .isEqualTo(((Long) Files.getAttribute(file, "unix:ino")).intValue());
    assertThat(entry.changedAtSeconds()).isPositive();
  }

  @Test
  void everyTruncationIsRefused() throws IOException {
    byte[] whole = Files.readAllBytes(repository("sha1"));
    int entriesEnd = whole.length - 20;
    Path cut = folder.resolve("cut");

    for (int size = 0; size < entriesEnd / 2; size++) {
      Files.write(cut, Arrays.copyOf(whole, size));
      assertThatThrownBy(() -> IndexEntry.read(cut, 20))
          .as("%d bytes", size)
          .isInstanceOf(StoreException.Corrupt.class);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 5, -1, Integer.MAX_VALUE})
  void otherVersionsAreRefused(int version) throws IOException {
    byte[] bytes = Files.readAllBytes(repository("sha1"));
    ByteBuffer.wrap(bytes).putInt(4, version);
    Path file = Files.write(folder.resolve("other"), bytes);

    assertThatThrownBy(() -> IndexEntry.read(file, 20)).isInstanceOf(StoreException.Corrupt.class);
  }

  @Test
  void aCountThatTheFileCannotHoldIsRefusedBeforeMemoryIsTaken() throws IOException {
    byte[] bytes = Files.readAllBytes(repository("sha1"));
    ByteBuffer.wrap(bytes).putInt(8, Integer.MAX_VALUE);
    Path file = Files.write(folder.resolve("other"), bytes);

    assertThatThrownBy(() -> IndexEntry.read(file, 20)).isInstanceOf(StoreException.Corrupt.class);
  }

  @Test
  void damageIsReadOrRefusedAndNothingElse() throws IOException {
    byte[] whole = Files.readAllBytes(repository("sha1"));
    Random random = new Random(11);
    Path file = folder.resolve("damaged");
    for (int i = 0; i < 500; i++) {
      byte[] bytes = whole.clone();
      for (int k = 0; k < 8; k++) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      Files.write(file, bytes);

      Throwable thrown = catchThrowable(() -> IndexEntry.read(file, 20));
      if (thrown != null) {
        assertThat(thrown).isInstanceOf(StoreException.Corrupt.class);
      }
    }
  }
}
