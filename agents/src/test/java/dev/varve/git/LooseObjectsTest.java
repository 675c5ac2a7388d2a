// SPDX-License-Identifier: Apache-2.0
package dev.varve.git;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LooseObjectsTest {

  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

  @TempDir Path folder;

  private LooseObjects objects(String format) {
    Git.in(folder).run("init", "-q", "--object-format=" + format);
    return new LooseObjects(folder.resolve(".git/objects"), format);
  }

  private static byte[] tree(String name, String id) {
    byte[] hash = HexFormat.of().parseHex(id);
    byte[] head = ("100644 " + name + "\0").getBytes(UTF_8);
    byte[] entry = java.util.Arrays.copyOf(head, head.length + hash.length);
    System.arraycopy(hash, 0, entry, head.length, hash.length);
    return entry;
  }

  @ParameterizedTest
  @ValueSource(strings = {"sha1", "sha256"})
  void gitFindsNothingWrongWithWhatIsWritten(String format) throws IOException {
    LooseObjects objects = objects(format);
    byte[] large = new byte[300_000];
    new Random(1).nextBytes(large);
    Path file = Files.write(folder.resolve("large"), large);

    String blob = objects.writeFile(file, large.length);
    String commit =
        objects.commit(objects.write("tree", tree("large", blob)), List.of(), "A message\n", NOW);
    objects.settle();

    Git git = Git.in(folder);
    assertThat(git.run("fsck", "--strict", "--no-dangling")).isEmpty();
    assertThat(git.line("hash-object", "large")).isEqualTo(blob);
    assertThat(git.run("cat-file", "blob", blob)).isEqualTo(large);
    assertThat(git.line("log", "-1", "--format=%s %at", commit))
        .isEqualTo("A message " + NOW.getEpochSecond());
    assertThat(objects.isSound(blob)).isTrue();
    try (ObjectReader reader = ObjectReader.open(git)) {
      assertThat(reader.bytes(blob)).isEqualTo(large);
      assertThat(reader.isSound(blob, objects.digest())).isTrue();
      assertThatThrownBy(() -> reader.bytes("0".repeat(blob.length())))
          .isInstanceOf(StoreException.NotFound.class);
      assertThat(reader.bytes(commit)).asString(UTF_8).endsWith("\n\nA message\n");
    }
  }

  @Test
  void nothingAppearsBeforeItIsSettled() {
    LooseObjects objects = objects("sha1");

    String id = objects.write("blob", "later".getBytes(UTF_8));

    assertThat(objects.isSound(id)).isFalse();
    objects.settle();
    assertThat(objects.isSound(id)).isTrue();
    assertThat(id).isEqualTo(objects.id("blob", "later".getBytes(UTF_8)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "no zlib at all", "cut"})
  void aDamagedObjectIsWrittenAgain(String damage) throws IOException {
    LooseObjects objects = objects("sha1");
    byte[] content = "precious".repeat(100).getBytes(UTF_8);
    String id = objects.write("blob", content);
    objects.settle();
    Path file = folder.resolve(".git/objects/" + id.substring(0, 2) + "/" + id.substring(2));
    byte[] sound = Files.readAllBytes(file);
    file.toFile().setWritable(true);
    Files.write(
        file,
        damage.equals("cut")
            ? java.util.Arrays.copyOf(sound, sound.length / 2)
            : damage.getBytes(UTF_8));
    assertThat(objects.isSound(id)).isFalse();

    objects.write("blob", content);
    objects.settle();

    assertThat(Git.in(folder).run("cat-file", "blob", id)).isEqualTo(content);
  }

  @Test
  void aFileThatIsShorterByNowIsNoObject() throws IOException {
    LooseObjects objects = objects("sha1");
    Path file = Files.writeString(folder.resolve("f"), "short");

    assertThatThrownBy(() -> objects.writeFile(file, 100)).isInstanceOf(ChangedWhileRead.class);
    objects.settle();

    assertThat(Git.in(folder).line("count-objects")).startsWith("0 objects");
    try (var left = Files.list(folder.resolve(".git/objects"))) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .noneMatch(n -> n.startsWith("tmp_"));
    }
  }

  @Test
  void theBeginningOfAGrowingFileIsTaken() throws IOException {
    LooseObjects objects = objects("sha1");
    Path file = Files.writeString(folder.resolve("f"), "begin and more");

    String id = objects.writeFile(file, 5);

    assertThat(id).isEqualTo(objects.id("blob", "begin".getBytes(UTF_8)));
  }

  @Test
  void aLinkIsNotFollowed() throws IOException {
    LooseObjects objects = objects("sha1");
    Path secret = Files.writeString(folder.resolve("secret"), "secret");
    Path link = Files.createSymbolicLink(folder.resolve("link"), secret);

    assertThatThrownBy(() -> objects.writeFile(link, 6)).isInstanceOf(IOException.class);
  }
}
