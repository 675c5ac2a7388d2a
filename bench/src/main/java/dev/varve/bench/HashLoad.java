// SPDX-License-Identifier: Apache-2.0
package dev.varve.bench;

import dev.varve.BlobHash;
import dev.varve.hash.Blake3;
import dev.varve.hash.Blake3Acceleration;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;
import org.bouncycastle.crypto.digests.Blake3Digest;

/// Hashes a file as `b3sum` does, on one thread, by pieces of 1 MiB: ours plain, ours on vectors,
/// BouncyCastle's, and that of Commons Codec. Tells the processor's time of the fastest round and
/// of the median, reading included: on a machine that others use, it says more than the clock.
///
/// `java -cp bench/target/bench.jar dev.varve.bench.HashLoad --file FILE [--rounds 5] [--hasher
/// plain|vectors|bouncycastle|codec]`
final class HashLoad {

  private static final int PIECE_BYTES = 1 << 20;

  private HashLoad() {}

  private interface Update {
    void of(byte[] bytes, int offset, int length);
  }

  private record Hasher(Update update, Supplier<BlobHash> digest) {}

  public static void main(String[] args) throws IOException {
    BenchOptions options = BenchOptions.of(args);
    Path file = Path.of(options.get("file", ""));
    String name = options.get("hasher", "plain");
    if (name.equals("vectors") && Blake3Acceleration.tryNow().engine().equals("scalar")) {
      throw new AssertionError("no vector engine");
    }
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long[] nanos = new long[options.get("rounds", 5)];
    BlobHash hash = hash(file, hasher(name)); // so that Java has compiled it
    for (int round = 0; round < nanos.length; round++) {
      long start = threads.getCurrentThreadCpuTime();
      hash = hash(file, hasher(name));
      nanos[round] = threads.getCurrentThreadCpuTime() - start;
    }
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "%s  %s: %.3f s at best, %.3f s in the median of %d%n",
        hash,
        name,
        nanos[0] / 1e9,
        nanos[nanos.length / 2] / 1e9,
        nanos.length);
  }

  private static BlobHash hash(Path file, Hasher hasher) throws IOException {
    byte[] piece = new byte[PIECE_BYTES];
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
        hasher.update().of(piece, 0, read);
      }
    }
    return hasher.digest().get();
  }

  private static Hasher hasher(String name) {
    return switch (name) {
      case "plain", "vectors" -> {
        Blake3 blake3 = new Blake3();
        yield new Hasher(blake3::update, blake3::digest);
      }
      case "bouncycastle" -> {
        Blake3Digest blake3 = new Blake3Digest();
        byte[] hash = new byte[BlobHash.SIZE_BYTES];
        yield new Hasher(
            blake3::update,
            () -> {
              blake3.doFinal(hash, 0);
              return BlobHash.of(hash);
            });
      }
      case "codec" -> {
        var blake3 = org.apache.commons.codec.digest.Blake3.initHash();
        yield new Hasher(blake3::update, () -> BlobHash.of(blake3.doFinalize(BlobHash.SIZE_BYTES)));
      }
      default -> throw new IllegalArgumentException("no hasher '" + name + "'");
    };
  }
}
