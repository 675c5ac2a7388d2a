// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.blobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BlobFolderTest {

  static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-03-01T12:00:00Z"));

  @TempDir Path root;

  private Path blobs;
  private BlobFolder folder;

  @BeforeEach
  void open() {
    blobs = root.resolve("blobs");
    folder = new BlobFolder(blobs, CLOCK, 1 << 20);
  }

  private Sha256 put(byte[] content) {
    Sha256 hash = Sha256.of(content);
    folder.put(Map.of(hash, content));
    return hash;
  }

  private static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(content);
    }
    return out.toByteArray();
  }

  private Path plant(Sha256 hash, byte[] file) throws IOException {
    Path path = folder.file(hash);
    Files.createDirectories(path.getParent());
    return Files.write(path, file);
  }

  // ---- writing

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 16, 100_000})
  void aContentComesBack(int size) throws IOException {
    byte[] content = new byte[size];
    new SplittableRandom(size).nextBytes(content);

    Sha256 hash = put(content);

    assertThat(folder.get(hash, size)).isEqualTo(content);
    Path file = folder.file(hash);
    assertThat(blobs.relativize(file))
        .hasToString(
            hash.hex().substring(0, 2)
                + "/"
                + hash.hex().substring(2, 4)
                + "/"
                + hash.hex().substring(4)
                + ".blob.gz");
    try (GZIPInputStream other = new GZIPInputStream(Files.newInputStream(file))) {
      assertThat(other.readAllBytes()).isEqualTo(content);
    }
    assertThat(Arrays.copyOf(Files.readAllBytes(file), 10))
        .isEqualTo(new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff});
  }

  @Test
  void whatIsThereIsNotWrittenAgainButTouched() throws IOException {
    Sha256 hash = put("a".getBytes(UTF_8));
    Path file = folder.file(hash);
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2026-01-01T00:00:00Z")));
    Object key = Files.readAttributes(file, "fileKey").get("fileKey");

    BlobFolder.Put again = new BlobFolder(blobs, CLOCK).put(Map.of(hash, "a".getBytes(UTF_8)));

    assertThat(again).isEqualTo(new BlobFolder.Put(0, 1, 0));
    assertThat(Files.readAttributes(file, "fileKey").get("fileKey")).isEqualTo(key);
    assertThat(Files.getLastModifiedTime(file).toInstant()).isEqualTo(CLOCK.instant());
  }

  @ParameterizedTest
  @ValueSource(strings = {"empty", "cut", "other", "flipped"})
  void aDamagedBlobIsHealedByAWriterAndSetAside(String damage) throws IOException {
    byte[] content = "content ".repeat(50).getBytes(UTF_8);
    Sha256 hash = put(content);
    Path file = folder.file(hash);
    byte[] bytes = Files.readAllBytes(file);
    byte[] bad =
        switch (damage) {
          case "empty" -> new byte[0];
          case "cut" -> Arrays.copyOf(bytes, bytes.length - 9);
          case "other" -> gzip("else".getBytes(UTF_8));
          default -> {
            bytes[bytes.length / 2] ^= 1;
            yield bytes;
          }
        };
    Files.write(file, bad);
    BlobFolder later = new BlobFolder(blobs, CLOCK);
    assertThatThrownBy(() -> later.get(hash, content.length))
        .isInstanceOf(StoreException.Corrupt.class);

    assertThat(later.put(Map.of(hash, content))).isEqualTo(new BlobFolder.Put(0, 0, 1));

    assertThat(later.get(hash, content.length)).isEqualTo(content);
    assertThat(later.setAside()).hasSize(1).allMatch(path -> path.toString().contains(".trash"));
    assertThat(Files.readAllBytes(later.setAside().getFirst())).isEqualTo(bad);
  }

  @Test
  void nothingIsLeftBesideTheBlobs() throws IOException {
    Map<Sha256, byte[]> contents = new LinkedHashMap<>();
    for (int i = 0; i < 30; i++) {
      byte[] content = ("content " + i).getBytes(UTF_8);
      contents.put(Sha256.of(content), content);
    }
    assertThat(folder.put(contents)).isEqualTo(new BlobFolder.Put(30, 0, 0));

    try (Stream<Path> files = Files.walk(blobs)) {
      assertThat(files.filter(Files::isRegularFile))
          .hasSize(30)
          .allMatch(file -> file.toString().endsWith(".blob.gz"));
    }
  }

  // ---- reading what others wrote

  @Test
  void theLongNameIsReadToo() throws IOException {
    byte[] content = "x".getBytes(UTF_8);
    Sha256 hash = Sha256.of(content);
    plant(hash, gzip(content));
    Files.move(folder.file(hash), folder.file(hash).resolveSibling(hash.hex() + ".blob.gz"));

    assertThat(folder.get(hash, 1)).isEqualTo(content);
    assertThat(folder.put(Map.of(hash, content)).present()).isEqualTo(1);
  }

  @Test
  void severalMembersAreOneContentAndJunkBehindThemIsDamage() throws IOException {
    byte[] content = "onetwo".getBytes(UTF_8);
    Sha256 hash = Sha256.of(content);
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.writeBytes(gzip("one".getBytes(UTF_8)));
    both.writeBytes(gzip("two".getBytes(UTF_8)));
    plant(hash, both.toByteArray());
    assertThat(folder.get(hash, 6)).isEqualTo(content);

    both.write(0);
    both.write(0);
    plant(hash, both.toByteArray());

    assertThatThrownBy(() -> folder.get(hash, 6))
        .isInstanceOf(StoreException.Corrupt.class)
        .hasMessageContaining("end of the file");
  }

  @Test
  void aBombIsStoppedAtTheSizeOfItsReference() throws IOException {
    byte[] zeros = new byte[64 << 20];
    Sha256 hash = Sha256.of(zeros);
    plant(hash, gzip(zeros));

    assertThatThrownBy(() -> folder.get(hash, 10))
        .isInstanceOf(StoreException.Corrupt.class)
        .hasMessageContaining("10 bytes, as its reference says")
        .hasMessageContaining("found more");
    assertThatThrownBy(() -> folder.get(hash, zeros.length))
        .as("an honest one is over the bound")
        .isInstanceOf(StoreException.TooLarge.class);
    assertThat(folder.verify(folder.find(hash).orElseThrow())).isEqualTo(zeros.length);
  }

  @Test
  void aSizeThatIsTooGreatIsDamageAndTakesNoMemory() {
    Sha256 hash = put("a".getBytes(UTF_8));

    assertThatThrownBy(() -> folder.get(hash, 1 << 19)).isInstanceOf(StoreException.Corrupt.class);
    assertThatThrownBy(() -> folder.get(hash, Long.MAX_VALUE))
        .isInstanceOf(StoreException.TooLarge.class);
  }

  @Test
  void linksAndFoldersInThePlaceOfABlobAreRefused() throws IOException {
    byte[] content = "x".getBytes(UTF_8);
    Sha256 hash = Sha256.of(content);
    Path outside = Files.write(root.resolve("outside"), gzip(content));
    Files.createDirectories(folder.file(hash).getParent());
    Files.createSymbolicLink(folder.file(hash), outside);

    assertThatThrownBy(() -> folder.get(hash, 1))
        .isInstanceOf(StoreException.Corrupt.class)
        .hasMessageContaining("symbolic link");
    assertThatThrownBy(() -> folder.put(Map.of(hash, content)))
        .isInstanceOf(StoreException.Corrupt.class);
    assertThat(outside).exists();

    Files.delete(folder.file(hash));
    Files.createDirectory(folder.file(hash));
    assertThatThrownBy(() -> folder.get(hash, 1)).isInstanceOf(StoreException.Corrupt.class);
  }

  @Test
  void aLinkedFolderLeadsNowhere() throws IOException {
    Path outside = Files.createDirectory(root.resolve("outside"));
    Sha256 hash = Sha256.of("x".getBytes(UTF_8));
    Files.createDirectory(blobs);
    Files.createSymbolicLink(blobs.resolve(hash.hex().substring(0, 2)), outside);

    assertThatThrownBy(() -> put("x".getBytes(UTF_8))).isInstanceOf(StoreException.Corrupt.class);
    assertThat(outside).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "../../../../etc/passwd", "G", "sha256:"})
  void onlySixtyFourLowerCaseDigitsAreAHash(String text) {
    assertThat(Sha256.find(text)).isEmpty();
    assertThat(Sha256.find(Sha256.of(new byte[0]).hex().toUpperCase(Locale.ROOT))).isEmpty();
    assertThat(Sha256.find(Sha256.of(new byte[0]).hex() + "\n")).isEmpty();
    assertThatThrownBy(() -> new Sha256(text)).isInstanceOf(IllegalArgumentException.class);
  }

  // ---- listing

  @Test
  void everythingBelowTheFolderIsABlobOrTold() throws IOException {
    Sha256 hash = put("x".getBytes(UTF_8));
    Files.write(blobs.resolve("note.txt"), new byte[1]);
    Files.createDirectory(blobs.resolve("zz"));
    Path leaf = folder.file(hash).getParent();
    Files.write(leaf.resolve("short.blob.gz"), new byte[1]);
    Files.createSymbolicLink(leaf.resolve("a".repeat(60) + ".blob.gz"), root);
    StringBuilder odd = new StringBuilder();
    StringBuilder found = new StringBuilder();

    folder.each(
        blob -> found.append(blob.hash()).append('\n'),
        each ->
            odd.append(each.path().getFileName()).append(": ").append(each.what()).append('\n'));

    assertThat(found).hasToString(hash + "\n");
    assertThat(odd.toString())
        .contains("note.txt: a file where", "zz: a folder where", "short.blob.gz: a file whose")
        .contains("a symbolic link in the place of a blob");
  }

  @Test
  void whatWasThrownAwayCanBePutBack() {
    Sha256 hash = put("x".getBytes(UTF_8));
    BlobTrash trash = new BlobTrash(blobs, CLOCK);
    trash.move(folder.find(hash).orElseThrow());
    assertThat(folder.find(hash)).isEmpty();
    assertThat(trash.days()).hasSize(1);

    trash.restore(trash.find(hash).orElseThrow());

    assertThat(folder.get(hash, 1)).isEqualTo("x".getBytes(UTF_8));
    assertThat(trash.find(hash)).isEmpty();
    assertThat(trash.empty(trash.days().getFirst(), () -> false)).isZero();
    assertThat(trash.days()).isEmpty();
  }
}
