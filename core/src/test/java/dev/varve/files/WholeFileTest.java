// SPDX-License-Identifier: Apache-2.0
package dev.varve.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.disk.FileAccess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whole files in a real folder.
class WholeFileTest {

  @TempDir Path folder;

  @Test
  void aFileIsReplacedWhateverItsName() throws Exception {
    for (String name : new String[] {"a", "two words.jsonl", ".hidden", "größer..jsonl", "a\\b"}) {
      Path file = folder.resolve(name);
      WholeFile.at(file).replace(bytes("first"));
      WholeFile.at(file).replace(bytes("second"));
      assertThat(file).hasContent("second");
      WholeFile.at(file).replaceSoon(bytes("third"));
      assertThat(file).hasContent("third");
      WholeFile.at(file).delete();
      assertThat(file).doesNotExist();
      WholeFile.at(file).delete();
    }
    assertThat(names()).isEmpty();
  }

  @Test
  void whatIsWrittenInPiecesArrivesWhole() throws Exception {
    byte[] content = new byte[300_000];
    new SplittableRandom(3).nextBytes(content);
    Path file = folder.resolve("file");
    try (FileDraft draft = WholeFile.at(file).draft()) {
      draft.write(content, 0, 10);
      try (OutputStream out = draft.out()) {
        out.write(content[10]);
        out.write(content, 11, 199_989);
      }
      assertThat(folder.resolve(draft.name())).hasBinaryContent(Arrays.copyOf(content, 200_000));
      draft.write(content, 200_000, 299_999);
      draft.write(content, 299_999, 300_000);
      assertThat(file).doesNotExist();
      draft.claim();
    }
    assertThat(file).hasBinaryContent(content);
    assertThat(names()).containsExactly("file");
  }

  @Test
  void aNameThatIsTakenIsNotClaimed() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "the user's");
    assertThatThrownBy(() -> WholeFile.at(file).create(bytes("ours")))
        .isInstanceOf(StoreException.Conflict.class)
        .hasMessageContaining(file.toString());
    assertThat(file).hasContent("the user's");
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("nowhere"));
    assertThatThrownBy(() -> WholeFile.at(link).create(bytes("ours")))
        .isInstanceOf(StoreException.Conflict.class);
    assertThat(names()).containsExactly("file", "link");
  }

  @Test
  void aDraftThatIsGivenUpIsGone() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "former");
    try (FileDraft draft = WholeFile.at(file).draft()) {
      draft.write(bytes("never finished"));
    }
    assertThat(file).hasContent("former");
    assertThat(names()).containsExactly("file");
  }

  @Test
  void aSecretIsItsOwnersFromTheFirstMoment() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "readable by all");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    try (FileDraft draft = WholeFile.at(file).with(FileAccess.OWNER_ONLY).draft()) {
      assertThat(permissions(folder.resolve(draft.name()))).isEqualTo("rw-------");
      draft.replace();
    }
    assertThat(permissions(file)).isEqualTo("rw-------");
    Path usual = Files.createFile(folder.resolve("usual"));
    WholeFile.at(file).replace(bytes("as any file"));
    assertThat(permissions(file)).isEqualTo(permissions(usual));
  }

  @Test
  void aFolderThatIsNotThereIsRefused() {
    Path file = folder.resolve("absent/file");
    assertThatThrownBy(() -> WholeFile.at(file).replace(bytes("x")))
        .isInstanceOf(StoreException.Io.class)
        .hasMessageContaining("absent");
    assertThatThrownBy(() -> WholeFile.at(Path.of("/")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theDraftOfAKilledProcessIsDeletedByTheNextAndThatOfALivingOneIsNot() throws Exception {
    Process writer = DraftWriter.start(folder.resolve("file"));
    try {
      assertThat(writer.inputReader().readLine()).isEqualTo("drafted");
      WholeFile.at(folder.resolve("other")).replace(bytes("beside a living writer"));
      assertThat(names()).hasSize(2);
    } finally {
      writer.destroyForcibly().waitFor();
    }
    Files.writeString(folder.resolve(".varve-of-somebody-else.part"), "kept");
    Process next = DraftWriter.start(folder.resolve("file"));
    try {
      assertThat(next.inputReader().readLine()).isEqualTo("drafted");
      assertThat(names()).hasSize(3); // its own draft in place of the dead one's
      next.outputWriter().close();
      assertThat(next.waitFor()).isZero();
    } finally {
      next.destroyForcibly().waitFor();
    }
    assertThat(names()).containsExactly(".varve-of-somebody-else.part", "file", "other");
  }

  @Test
  void aTreeIsDeletedAndNothingBehindItsLinks() throws Exception {
    Path outside = Files.writeString(folder.resolve("outside"), "kept");
    Path tree = Files.createDirectories(folder.resolve("tree/inner/most")).getParent().getParent();
    Files.writeString(tree.resolve("inner/file"), "x");
    Files.createSymbolicLink(tree.resolve("inner/link"), folder);
    FolderTree.delete(tree);
    FolderTree.delete(tree);
    assertThat(tree).doesNotExist();
    assertThat(outside).hasContent("kept");
  }

  @Test
  void oneFileThatCannotBeForcedAmongManyIsRefused() throws Exception {
    List<Path> files = new ArrayList<>(List.of(folder));
    for (int i = 0; i < 50; i++) {
      files.add(Files.writeString(folder.resolve("file" + i), "x"));
    }
    ForceTogether.all(files);
    files.add(folder.resolve("absent"));
    assertThatThrownBy(() -> ForceTogether.all(files))
        .isInstanceOf(StoreException.Io.class)
        .hasMessageContaining("absent");
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
