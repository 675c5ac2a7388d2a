// SPDX-License-Identifier: Apache-2.0
package dev.varve.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A hundred versions of a session that grows take less than 1.3 times the last one, before
/// compression and with all lists.
///
/// Everything is a sixteenth of what it is in a store: a session of 1.6 MB stands for one of 25.
/// `GrowthLoad` among the benchmarks does the same at full size in a store on a disk.
class GrowingSessionTest {

  private static final ChunkSizes SIXTEENTH = new ChunkSizes(256, 1_024, 4_096, 16, 64, 256);
  private static final int LAST_BYTES = 1_600_000;
  private static final int VERSIONS = 100;

  private static final class Shelf implements ChunkedPut.Target, ChunkSource {
    final Map<BlobHash, Payload> kept = new HashMap<>();
    final Map<BlobHash, Payload> roots = new HashMap<>();

    @Override
    public void putAll(List<PendingChunk> pieces) {
      pieces.forEach(piece -> kept.put(piece.hash(), piece.bytes()));
    }

    @Override
    public BlobHash assemble(BlobHash whole, long sizeBytes, Payload rootList) {
      roots.put(whole, rootList);
      return whole;
    }

    @Override
    public Payload get(BlobHash hash, int bytesMax) {
      Payload bytes = kept.get(hash);
      if (bytes == null || bytes.sizeBytes() > bytesMax) {
        throw new StoreException.NotFound("blob", hash.toString());
      }
      return bytes;
    }

    long keptBytes() {
      return kept.values().stream().mapToLong(Payload::sizeBytes).sum()
          + roots.values().stream().mapToLong(Payload::sizeBytes).sum();
    }
  }

  /// Lines like those of a session, no two alike.
  private static byte[] session() {
    SplittableRandom random = new SplittableRandom(1);
    StringBuilder lines = new StringBuilder(LAST_BYTES + 1_000);
    for (int i = 0; lines.length() < LAST_BYTES; i++) {
      lines.append("{\"id\":\"").append(i).append("\",\"role\":\"tool\",\"text\":\"");
      for (int word = random.nextInt(300); word > 0; word--) {
        lines.append("word").append(random.nextInt(1_000)).append(' ');
      }
      lines.append("\"}\n");
    }
    return Arrays.copyOf(lines.toString().getBytes(StandardCharsets.US_ASCII), LAST_BYTES);
  }

  @ParameterizedTest
  @ValueSource(ints = {LAST_BYTES - LAST_BYTES / 100, LAST_BYTES / 2})
  void aHundredVersionsTakeLittleMoreThanTheLast(int firstBytes) throws IOException {
    byte[] session = session();
    Shelf shelf = new Shelf();
    List<BlobHash> hashes = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    for (int i = 1; i <= VERSIONS; i++) {
      sizes.add(firstBytes + (LAST_BYTES - firstBytes) / VERSIONS * i);
      hashes.add(
          new ChunkedPut(SIXTEENTH, shelf)
              .put(new ByteArrayInputStream(session, 0, sizes.getLast()), null));
    }

    assertThat(shelf.keptBytes() / (double) LAST_BYTES).as("times the last").isLessThan(1.3);
    for (int i = 0; i < VERSIONS; i += 11) {
      ChunkList root = ChunkList.root(shelf.roots.get(hashes.get(i)).bytes(), SIXTEENTH);
      ChunkedStream.Place place = new ChunkedStream.Place(hashes.get(i), "shelf", 0);
      try (ChunkedStream stream =
          new ChunkedStream(place, SIXTEENTH, root, shelf, 0, root.sizeBytes())) {
        assertThat(stream.readAllBytes()).isEqualTo(Arrays.copyOf(session, sizes.get(i)));
      }
    }
  }
}
