// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Durability;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreOptions;
import dev.varve.TurnPage;
import dev.varve.View;
import dev.varve.hash.Blake3;
import dev.varve.hash.Blake3Acceleration;
import dev.varve.local.LocalStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The last 64 turns of 10 KB, warm: from the disk's cache, from the store's own cache, and beside
/// them what it costs just to decompress and hash the same bytes.
///
/// `java -cp bench/target/bench.jar dev.varve.bench.ReadLoad [--rounds 7] [--reads 2000] [--vector
/// yes]`
final class ReadLoad {

  private static final int PAYLOAD_BYTES = 10 * 1024;
  private static final int TURNS = 64;

  private ReadLoad() {}

  public static void main(String[] args) throws Exception {
    BenchOptions options = BenchOptions.of(args);
    if (options.is("vector")) {
      Blake3Acceleration.tryNow();
    }
    Path folder = BenchFolders.make(options.folder());
    try {
      compare(folder, options.get("rounds", 7), options.get("reads", 2000));
    } finally {
      BenchFolders.delete(folder);
    }
  }

  private static void compare(Path folder, int rounds, int reads) {
    ContextId context;
    try (Store store =
        LocalStore.open(folder, StoreOptions.DEFAULTS.withDurability(Durability.LET_THE_SYSTEM))) {
      context = store.createContext().id();
      for (int i = 0; i < 2 * TURNS; i++) {
        store.append(
            context,
            NewTurn.of(
                Payload.wrap(SamplePayloads.of(i, PAYLOAD_BYTES)),
                new DeclaredType("bench.ToolResult", 1),
                Encoding.JSON));
      }
    }
    List<byte[]> frames = new ArrayList<>();
    List<BlobHash> hashes = new ArrayList<>();
    try (ZstdCompressCtx compressor = new ZstdCompressCtx()) {
      compressor.setLevel(1);
      for (int i = TURNS; i < 2 * TURNS; i++) {
        byte[] raw = SamplePayloads.of(i, PAYLOAD_BYTES);
        frames.add(compressor.compress(raw));
        hashes.add(Blake3.hash(raw));
      }
    }
    long[] bare = new long[rounds];
    long[] disk = new long[rounds];
    long[] cached = new long[rounds];
    for (int round = -1; round < rounds; round++) {
      long bareNanos = bare(frames, hashes, reads);
      long diskNanos = last(folder, context, 0, reads);
      long cachedNanos = last(folder, context, 64L << 20, reads);
      if (round >= 0) {
        bare[round] = bareNanos;
        disk[round] = diskNanos;
        cached[round] = cachedNanos;
      }
    }
    System.out.printf("%n%s%n%n", Blake3Acceleration.choice());
    System.out.println("| last 64 turns of 10 KB | p50 us | against decompress + hash |");
    System.out.println("|---|---:|---:|");
    print("decompress and hash the same bytes", median(bare), median(bare));
    print("store, nothing in its cache", median(disk), median(bare));
    print("store, all in its cache", median(cached), median(bare));
  }

  private static void print(String what, double nanos, double bareNanos) {
    System.out.printf("| %s | %.0f | %.2f |%n", what, nanos / 1e3, nanos / bareNanos);
  }

  private static double median(long[] values) {
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /// Median nanoseconds of one pass over all frames.
  private static long bare(List<byte[]> frames, List<BlobHash> hashes, int reads) {
    long[] nanos = new long[reads];
    try (ZstdDecompressCtx decompressor = new ZstdDecompressCtx()) {
      for (int read = 0; read < reads; read++) {
        long start = System.nanoTime();
        for (int i = 0; i < frames.size(); i++) {
          byte[] raw = decompressor.decompress(frames.get(i), PAYLOAD_BYTES);
          if (!Blake3.hash(raw).equals(hashes.get(i))) {
            throw new AssertionError("turn " + i);
          }
        }
        nanos[read] = System.nanoTime() - start;
      }
    }
    return (long) median(nanos);
  }

  /// Median nanoseconds of one page.
  private static long last(Path folder, ContextId context, long cacheBytes, int reads) {
    long[] nanos = new long[reads];
    try (Store store =
        LocalStore.openExisting(folder, StoreOptions.DEFAULTS.withBlobCacheBytes(cacheBytes))) {
      for (int read = 0; read < reads; read++) {
        long start = System.nanoTime();
        TurnPage page = store.last(context, TURNS, View.LATEST);
        nanos[read] = System.nanoTime() - start;
        Payload oldest = page.turns().getFirst().payload();
        if (page.turns().size() != TURNS || oldest == null || oldest.sizeBytes() != PAYLOAD_BYTES) {
          throw new AssertionError("page of " + page.turns().size());
        }
      }
    }
    return (long) median(nanos);
  }
}
