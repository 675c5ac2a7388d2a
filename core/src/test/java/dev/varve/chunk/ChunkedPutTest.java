// SPDX-License-Identifier: Apache-2.0
package dev.varve.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.hash.Blake3;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// In through [ChunkedPut], out through [ChunkedStream], with maps in between.
class ChunkedPutTest {

  private static final ChunkSizes SMALL = new ChunkSizes(32, 128, 512, 2, 2, 4);

  /// Where parts go, in which batches, and what was asked for again.
  private static final class Shelf implements ChunkedPut.Target, ChunkSource {
    final Map<BlobHash, Payload> kept = new LinkedHashMap<>();
    final List<Integer> batches = new ArrayList<>();
    final List<BlobHash> asked = new ArrayList<>();
    BlobHash whole = new BlobHash(0, 0, 0, 0);
    byte[] root = {};
    int repeated;

    @Override
    public void putAll(List<PendingChunk> pieces) {
      assertThat(root).as("nothing follows the root list").isEmpty();
      pieces.forEach(piece -> kept.put(piece.hash(), piece.bytes()));
      repeated +=
          (int) (pieces.size() - pieces.stream().map(PendingChunk::hash).distinct().count());
      batches.add(pieces.stream().mapToInt(piece -> piece.bytes().sizeBytes()).sum());
    }

    @Override
    public BlobHash assemble(BlobHash hash, long sizeBytes, Payload rootList) {
      ChunkList list = ChunkList.root(rootList.unsafeArray(), SMALL);
      assertThat(list.sizeBytes()).isEqualTo(sizeBytes);
      for (int i = 0; i < list.count(); i++) {
        assertThat(kept).containsKey(list.hash(i));
      }
      whole = hash;
      root = rootList.bytes();
      return hash;
    }

    @Override
    public Payload get(BlobHash hash, int bytesMax) {
      asked.add(hash);
      Payload bytes = kept.get(hash);
      if (bytes == null) {
        throw new StoreException.NotFound("blob", hash.toString());
      }
      if (bytes.sizeBytes() > bytesMax) {
        throw new StoreException.Invalid("blob", bytes.sizeBytes() + " bytes");
      }
      return bytes;
    }

    ChunkedStream stream(long from, long end) {
      ChunkedStream.Place place = new ChunkedStream.Place(whole, "shelf", 77);
      return new ChunkedStream(place, SMALL, ChunkList.root(root, SMALL), this, from, end);
    }
  }

  private static byte[] noise(long seed, int sizeBytes) {
    byte[] bytes = new byte[sizeBytes];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  private static Shelf shelfWith(byte[] content) throws IOException {
    Shelf shelf = new Shelf();
    BlobHash hash = new ChunkedPut(SMALL, shelf).put(new ByteArrayInputStream(content), null);
    assertThat(hash).isEqualTo(Blake3.hash(content));
    return shelf;
  }

  @Test
  void contentOfAnySizeComesBack() throws IOException {
    for (int sizeBytes : new int[] {513, 600, 2_048, 2_049, 65_536, 65_537, 70_000, 300_001}) {
      byte[] content = noise(sizeBytes, sizeBytes);
      Shelf shelf = shelfWith(content);

      assertThat(shelf.stream(0, sizeBytes).readAllBytes()).isEqualTo(content);
    }
    for (int sizeBytes : new int[] {0, 1, 512}) {
      Shelf shelf = shelfWith(noise(sizeBytes, sizeBytes));
      assertThat(shelf.root).isEmpty();
      assertThat(shelf.kept).hasSize(1);
    }
  }

  @Test
  void whatGrewIsCutAsIfItHadBeenPutAsAWhole() throws IOException {
    for (int base : new int[] {513, 600, 2_048, 30_001, 65_536}) {
      for (int added : new int[] {0, 1, 31, 500, 5_000}) {
        byte[] content = noise(base, base + added);
        Shelf shelf = shelfWith(Arrays.copyOf(content, base));
        ChunkList list = ChunkList.root(shelf.root, SMALL);
        shelf.root = new byte[0];
        Blake3 taken = new Blake3().update(content, 0, base);
        InputStream tail = new ByteArrayInputStream(content, base, added);

        BlobHash hash = new ChunkedPut(SMALL, shelf, taken).grow(list, shelf, tail, null);

        assertThat(hash).as("%d + %d", base, added).isEqualTo(Blake3.hash(content));
        assertThat(shelf.root).isEqualTo(shelfWith(content).root);
        assertThat(shelf.stream(0, base + added).readAllBytes()).isEqualTo(content);
      }
    }
  }

  @Test
  void ofWhatGrewOnlyTheLastListAndItsChunksAreRead() throws IOException {
    byte[] content = noise(3, 100_001);

    assertThat(askedToGrow(content, 100_000)).hasSizeBetween(2, 2 + SMALL.maxEntries());
  }

  @Test
  void ofWholeLinesThatGrewOnlyTheLastListIsRead() throws IOException {
    byte[] content = lines(3, 1_000);
    int end = content.length - 1;
    while (content[end - 1] != '\n') {
      end--;
    }

    assertThat(askedToGrow(content, end)).hasSize(1);
  }

  private static List<BlobHash> askedToGrow(byte[] content, int base) throws IOException {
    Shelf shelf = shelfWith(Arrays.copyOf(content, base));
    ChunkList list = ChunkList.root(shelf.root, SMALL);
    shelf.root = new byte[0];
    Blake3 taken = new Blake3().update(content, 0, base);
    InputStream tail = new ByteArrayInputStream(content, base, content.length - base);

    new ChunkedPut(SMALL, shelf, taken).grow(list, shelf, tail, null);

    return shelf.asked;
  }

  /// Lines of JSON of at least 100 bytes, each with its line feed.
  private static byte[] lines(long seed, int count) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      lines.append("{\"i\":").append(i).append(",\"text\":\"");
      for (int left = random.nextInt(80, 300); left > 0; left--) {
        lines.append((char) random.nextInt('a', 'z' + 1));
      }
      lines.append("\"}\n");
    }
    return lines.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void linesThatGrewAreCutAsIfTheyHadBeenPutAsAWhole() throws IOException {
    byte[] content = lines(5, 60);
    for (int base = 600; base < content.length; base += 37) {
      Shelf shelf = shelfWith(Arrays.copyOf(content, base));
      ChunkList list = ChunkList.root(shelf.root, SMALL);
      shelf.root = new byte[0];
      Blake3 taken = new Blake3().update(content, 0, base);
      InputStream tail = new ByteArrayInputStream(content, base, content.length - base);

      new ChunkedPut(SMALL, shelf, taken).grow(list, shelf, tail, null);

      assertThat(spans(shelf)).as("%d", base).isEqualTo(spans(shelfWith(content)));
    }
  }

  /// How many bytes each chunk stands for, list by list.
  private static List<List<Long>> spans(Shelf shelf) {
    ChunkList root = ChunkList.root(shelf.root, SMALL);
    List<List<Long>> lists = new ArrayList<>();
    for (int i = 0; i < root.count(); i++) {
      ChunkList list = ChunkList.chunks(shelf.get(root.hash(i), 1 << 20).bytes(), SMALL);
      lists.add(IntStream.range(0, list.count()).mapToObj(list::length).toList());
    }
    return lists;
  }

  @Test
  void aBlobThatComesTwiceInABatchIsHandedOverOnce() throws IOException {
    byte[] line = Arrays.copyOf(lines(6, 1), 100);
    line[99] = '\n';
    byte[] content = new byte[2_000];
    for (int at = 0; at < content.length; at += line.length) {
      System.arraycopy(line, 0, content, at, line.length);
    }
    Shelf shelf = shelfWith(content);

    assertThat(shelf.kept).containsKey(Blake3.hash(line, 0, 99));
    assertThat(shelf.repeated).isZero();
    assertThat(shelf.stream(0, content.length).readAllBytes()).isEqualTo(content);
  }

  /// What is handed over at once is bounded, so that memory is.
  @Test
  void partsAreHandedOverAsTheyCome() throws IOException {
    Shelf shelf = shelfWith(noise(1, 1_000_000));

    assertThat(shelf.batches).hasSizeGreaterThan(100);
    assertThat(shelf.batches).allMatch(bytes -> bytes <= SMALL.batchBytes() + SMALL.maxBytes());
  }

  @Test
  void moreThanABlobMayHaveIsRefusedAsSoonAsItShows() {
    Shelf shelf = new Shelf();
    InputStream endless =
        new InputStream() {
          private final SplittableRandom random = new SplittableRandom(1);

          @Override
          public int read() {
            return random.nextInt(256);
          }
        };

    assertThatThrownBy(() -> new ChunkedPut(SMALL, shelf, 1_000_000).put(endless, null))
        .isInstanceOf(StoreException.TooLarge.class);
    assertThat(shelf.root).isEmpty();
    assertThat(shelf.batches.stream().mapToInt(Integer::intValue).sum())
        .isBetween(900_000, 1_300_000);
  }

  @Test
  void aPartAsksForWhatItTouchesOnly() throws IOException {
    byte[] content = noise(2, 100_000);
    Shelf shelf = shelfWith(content);
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 200; i++) {
      int from = random.nextInt(content.length);
      int length = random.nextInt(Math.min(3_000, content.length - from)) + 1;
      shelf.asked.clear();

      assertThat(shelf.stream(from, from + length).readAllBytes())
          .isEqualTo(Arrays.copyOfRange(content, from, from + length));

      List<Payload> chunks =
          shelf.asked.stream().map(shelf.kept::get).filter(p -> isChunk(shelf, p)).toList();
      int read = chunks.stream().mapToInt(Payload::sizeBytes).sum();
      int inner = read - chunks.getFirst().sizeBytes() - chunks.getLast().sizeBytes();
      assertThat(inner).as("chunks between the first and the last").isLessThan(length);
      assertThat(shelf.asked).doesNotHaveDuplicates();
      assertThat(shelf.asked.size() - chunks.size())
          .as("lists")
          .isLessThanOrEqualTo(2 + chunks.size() / 2);
    }
    shelf.asked.clear();
    assertThat(shelf.stream(500, 500).readAllBytes()).isEmpty();
    assertThat(shelf.asked).isEmpty();
  }

  private static boolean isChunk(Shelf shelf, Payload bytes) {
    ChunkList root = ChunkList.root(shelf.root, SMALL);
    for (int i = 0; i < root.count(); i++) {
      if (shelf.kept.get(root.hash(i)) == bytes) {
        return false;
      }
    }
    return true;
  }

  @Test
  void whatIsMissingOrOfAnotherSizeIsNamed() throws IOException {
    byte[] content = noise(3, 10_000);
    Shelf whole = shelfWith(content);
    for (BlobHash part : List.copyOf(whole.kept.keySet())) {
      Payload there = whole.kept.get(part);
      whole.kept.remove(part);
      assertCorrupt(whole, part);
      whole.kept.put(part, Payload.wrap(Arrays.copyOf(there.bytes(), there.sizeBytes() + 36)));
      assertCorrupt(whole, part);
      whole.kept.put(part, there);
    }
    assertThat(whole.stream(0, 10_000).readAllBytes()).isEqualTo(content);
  }

  private static void assertCorrupt(Shelf shelf, BlobHash part) {
    assertThatThrownBy(() -> shelf.stream(0, 10_000).readAllBytes())
        .isInstanceOfSatisfying(
            StoreException.Corrupt.class,
            damage -> {
              assertThat(damage.file()).isEqualTo("shelf");
              assertThat(damage.offset()).isEqualTo(77);
            })
        .hasMessageContaining(part.toString());
  }

  /// Even if every part is what its list says.
  @Test
  void theLastBytesOfOtherContentAreNeverGivenOut() throws IOException {
    byte[] content = noise(4, 10_000);
    Shelf shelf = shelfWith(content);
    shelf.whole = new BlobHash(1, 2, 3, 4);
    ChunkedStream stream = shelf.stream(0, 10_000);
    byte[] bytes = new byte[10_000];
    int[] given = {0};

    assertThatThrownBy(
            () -> {
              while (given[0] < bytes.length) {
                given[0] += stream.read(bytes, given[0], Math.min(100, bytes.length - given[0]));
              }
            })
        .isInstanceOf(StoreException.Corrupt.class);

    assertThat(given[0]).isLessThan(10_000);
    assertThatThrownBy(stream::read).as("asked again").isInstanceOf(StoreException.Corrupt.class);
  }

  @Test
  void whatVersionsBeginWithIsVerifiedOnce() throws IOException {
    byte[] content = noise(5, 100_000);
    Map<BlobHash, Payload> kept = new LinkedHashMap<>();
    List<Shelf> versions = new ArrayList<>();
    for (int sizeBytes = 50_000; sizeBytes <= 100_000; sizeBytes += 1_000) {
      Shelf version = shelfWith(Arrays.copyOf(content, sizeBytes));
      kept.putAll(version.kept);
      versions.add(version);
    }
    int[] asked = {0};
    BlobVerification verification =
        new BlobVerification(
            SMALL,
            (hash, bytesMax) -> {
              asked[0] += kept.get(hash).sizeBytes();
              return kept.get(hash);
            });

    for (Shelf version : versions) {
      ChunkedStream.Place place = new ChunkedStream.Place(version.whole, "shelf", 0);
      verification.verify(place, ChunkList.root(version.root, SMALL));
    }

    assertThat(asked[0]).as("bytes read of 51 versions").isLessThan(350_000);
    Shelf last = versions.getLast();
    ChunkedStream.Place wrong = new ChunkedStream.Place(new BlobHash(1, 2, 3, 4), "shelf", 0);
    assertThatThrownBy(() -> verification.verify(wrong, ChunkList.root(last.root, SMALL)))
        .isInstanceOf(StoreException.Corrupt.class);
    kept.replaceAll((hash, bytes) -> Payload.wrap(new byte[bytes.sizeBytes()]));
    Shelf other = shelfWith(noise(6, 60_000));
    ChunkedStream.Place place = new ChunkedStream.Place(other.whole, "shelf", 0);
    kept.putAll(other.kept);
    verification.verify(place, ChunkList.root(other.root, SMALL));
  }
}
