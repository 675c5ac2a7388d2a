// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import com.github.luben.zstd.Zstd;
import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.chunk.ChunkSizes;
import dev.varve.chunk.ChunkedPut;
import dev.varve.chunk.ContentChunker;
import dev.varve.chunk.PendingChunk;
import dev.varve.hash.Blake3;
import dev.varve.hash.Blake3Acceleration;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// The speed at which content is cut, and the share of content that edited versions have in common,
/// by the size of chunks. In memory, one thread.
///
/// `java -cp bench/target/bench.jar dev.varve.bench.ChunkLoad [--mb 50] [--file FILE] [--rounds 5]
/// [--vector yes]`
final class ChunkLoad {

  private static final int EDITS = 20;

  private ChunkLoad() {}

  public static void main(String[] args) throws IOException {
    BenchOptions options = BenchOptions.of(args);
    if (options.is("vector")) {
      System.out.println("hash engine: " + Blake3Acceleration.tryNow());
    }
    byte[] content = SampleSessions.chosen(options);
    System.out.printf("%d bytes, of which zstd 1 makes %d%n", content.length, zstd(content));
    for (int averageBytes = 4 << 10; averageBytes <= 256 << 10; averageBytes *= 2) {
      shared(content, sizes(averageBytes));
    }
    speeds(content, options.get("rounds", 5));
  }

  private static ChunkSizes sizes(int averageBytes) {
    return new ChunkSizes(averageBytes / 4, averageBytes, averageBytes * 4, 16, 64, 256);
  }

  private static long zstd(byte[] bytes) {
    return Math.min(bytes.length, Zstd.compress(bytes, 1).length);
  }

  /// Keeps the size of each part, as a store would keep it.
  private static final class Kept implements ChunkedPut.Target {
    private final Map<BlobHash, Integer> parts = new HashMap<>();
    private long rawBytes;
    private long storedBytes;

    @Override
    public void putAll(List<PendingChunk> pieces) {
      for (PendingChunk piece : pieces) {
        byte[] bytes = piece.bytes().unsafeArray();
        if (parts.putIfAbsent(piece.hash(), bytes.length) == null) {
          rawBytes += bytes.length;
          storedBytes += zstd(bytes) + 52;
        }
      }
    }

    @Override
    public BlobHash assemble(BlobHash whole, long sizeBytes, Payload rootList) {
      rawBytes += rootList.sizeBytes();
      storedBytes += rootList.sizeBytes() + 52;
      return whole;
    }
  }

  private static void shared(byte[] content, ChunkSizes sizes) throws IOException {
    Kept kept = new Kept();
    put(kept, sizes, content);
    long first = kept.rawBytes;
    long stored = kept.storedBytes;
    int parts = kept.parts.size();
    SplittableRandom random = new SplittableRandom(7);
    long before = kept.rawBytes;
    for (int i = EDITS; i > 0; i--) {
      put(kept, sizes, Arrays.copyOf(content, content.length - i * 5_000));
    }
    long appended = (kept.rawBytes - before) / EDITS;
    before = kept.rawBytes;
    for (int i = 0; i < EDITS; i++) {
      put(kept, sizes, inserted(content, random.nextInt(content.length), 100, random));
    }
    long inserted = (kept.rawBytes - before) / EDITS;
    System.out.printf(
        "average %3d KiB: %6d parts, lists %.2f %%, compressed %d; a version with 5,000 bytes more"
            + " adds %d, with 100 inserted %d%n",
        sizes.averageBytes() >> 10,
        parts,
        100.0 * (first - content.length) / content.length,
        stored,
        appended,
        inserted);
  }

  private static byte[] inserted(byte[] content, int at, int count, SplittableRandom random) {
    byte[] edited = new byte[content.length + count];
    byte[] added = new byte[count];
    random.nextBytes(added);
    System.arraycopy(content, 0, edited, 0, at);
    System.arraycopy(added, 0, edited, at, count);
    System.arraycopy(content, at, edited, at + count, content.length - at);
    return edited;
  }

  private static void put(Kept kept, ChunkSizes sizes, byte[] content) throws IOException {
    BlobHash hash = new ChunkedPut(sizes, kept).put(new ByteArrayInputStream(content), null);
    if (!hash.equals(Blake3.hash(content))) {
      throw new AssertionError("hash of the whole");
    }
  }

  // ---- speed

  private static void speeds(byte[] content, int rounds) throws IOException {
    byte[] sink = new byte[1];
    ContentChunker cutter = new ContentChunker(ChunkSizes.DEFAULTS);
    speed(
        "hash",
        content,
        rounds,
        () -> sink[0] ^= (byte) new Blake3().update(content).digest().w0());
    speed(
        "cut",
        content,
        rounds,
        () -> {
          for (int at = 0; at < content.length; ) {
            at += cutter.cut(content, at, content.length - at);
            sink[0] ^= (byte) at;
          }
        });
    speed(
        "cut, hash chunks and whole",
        content,
        rounds,
        () -> {
          try {
            new ChunkedPut(ChunkSizes.DEFAULTS, new Nowhere())
                .put(new ByteArrayInputStream(content), null);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
    System.out.println("(" + sink[0] + ")");
  }

  private static final class Nowhere implements ChunkedPut.Target {
    @Override
    public void putAll(List<PendingChunk> pieces) {}

    @Override
    public BlobHash assemble(BlobHash whole, long sizeBytes, Payload rootList) {
      return whole;
    }
  }

  private static void speed(String what, byte[] content, int rounds, Runnable once) {
    double best = 0;
    for (int i = 0; i < rounds + 2; i++) {
      long start = System.nanoTime();
      once.run();
      double rate = content.length / ((System.nanoTime() - start) / 1e9) / 1e6;
      best = i < 2 ? 0 : Math.max(best, rate);
    }
    System.out.printf("%s: %.0f MB/s, the best of %d%n", what, best, rounds);
  }
}
