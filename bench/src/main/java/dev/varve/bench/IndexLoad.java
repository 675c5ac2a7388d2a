// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import dev.varve.disk.Disk;
import dev.varve.disk.LocalDisk;
import dev.varve.index.EntrySink;
import dev.varve.index.EntrySource;
import dev.varve.index.FingerprintTable;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.UUID;

/// The blob index with millions of keys: puts, hits, misses, reopening, bytes a key.
///
/// `java -Xmx64m -cp bench/target/bench.jar dev.varve.bench.IndexLoad [--keys 10000000]`
final class IndexLoad {

  private static final UUID STORE = new UUID(1, 2);

  /// The size of an entry of `blobs.idx`, which each blob has beside its place in the table.
  private static final int ENTRY_BYTES = 52;

  private IndexLoad() {}

  /// The list that the table is derived from: key number `i` is at offset `100 i`.
  private record Keys(long count) implements EntrySource {
    @Override
    public void entries(long from, EntrySink sink) {
      for (long i = from; i < count; i++) {
        sink.put(key(i), 100 * i);
      }
    }
  }

  private static long key(long i) {
    long h = (i + 1) * 0x9E3779B97F4A7C15L;
    h = (h ^ (h >>> 30)) * 0xBF58476D1CE4E5B9L;
    h = (h ^ (h >>> 27)) * 0x94D049BB133111EBL;
    return h ^ (h >>> 31);
  }

  public static void main(String[] args) throws Exception {
    BenchOptions options = BenchOptions.of(args);
    long keys = options.get("keys", 10_000_000);
    Path folder = BenchFolders.make(options.folder());
    try {
      Disk disk = LocalDisk.open(folder);
      try (FingerprintTable table =
          FingerprintTable.open(disk, "blobs.map", 1, STORE, new Keys(0))) {
        long start = System.nanoTime();
        for (long i = 0; i < keys; i++) {
          table.put(key(i), 100 * i, _ -> false);
        }
        report("put", keys, start);
        for (int round = 0; round < 3; round++) {
          start = System.nanoTime();
          lookUp(table, keys, 0, 100);
          report("hit", keys, start);
          start = System.nanoTime();
          lookUp(table, keys, 1L << 40, -1);
          report("miss", keys, start);
        }
        table.checkpoint(keys);
        System.out.printf(
            "%.1f bytes a key on the disk, of which %d for the list%n",
            (double) table.diskBytes() / keys + ENTRY_BYTES, ENTRY_BYTES);
      }
      long[] micros = new long[5];
      for (int i = 0; i < micros.length; i++) {
        long start = System.nanoTime();
        try (FingerprintTable table =
            FingerprintTable.open(disk, "blobs.map", 1, STORE, new Keys(keys))) {
          lookUp(table, 1000, 0, 100);
          micros[i] = (System.nanoTime() - start) / 1000;
        }
      }
      System.out.printf("reopened, with 1000 hits: %s us%n", Arrays.toString(micros));
    } finally {
      BenchFolders.delete(folder);
    }
  }

  private static void lookUp(FingerprintTable table, long count, long from, long step) {
    for (long i = 0; i < count; i++) {
      long expected = step < 0 ? -1 : step * i;
      if (table.find(key(from + i), value -> value == expected) != expected) {
        throw new AssertionError("key " + (from + i));
      }
    }
  }

  private static void report(String what, long count, long start) {
    System.out.printf(
        "%s: %.2f million a second%n", what, count * 1e3 / (System.nanoTime() - start));
  }
}
