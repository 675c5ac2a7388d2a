// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/// Zstd contexts that are set to a level, and room for what they make. It serves one thread at a
/// time; [#compress(byte[], int)] lends one.
final class Compressor {

  // A context costs more to make than most blobs cost to compress. The one used last is used first:
  // its tables are still in the processor's cache.
  private static final ConcurrentLinkedDeque<Compressor> POOL = new ConcurrentLinkedDeque<>();

  /// A larger result gets an array of its own, so that one large blob does not hold memory for
  /// ever.
  private static final int KEPT_BYTES_MAX = 1 << 20;

  /// A turn's usual size. For these zstd itself takes a table of 128 KiB, which many callers push
  /// out of each other's cache: with 16 KiB, and matches of six bytes or more, 64 callers append a
  /// quarter more, and the blobs become 1 to 2 percent larger (`bench/results/`).
  private static final int TURN_BYTES_MIN = 4096;

  private static final int TURN_BYTES_MAX = 16 << 10;
  private static final int TURN_HASH_LOG = 12;
  private static final int TURN_MIN_MATCH = 6;

  private final ZstdCompressCtx any = new ZstdCompressCtx();
  private @Nullable ZstdCompressCtx turns;
  private int level = Integer.MIN_VALUE;
  private byte[] target = new byte[0];

  private Compressor() {}

  /// The bytes as one zstd frame, or empty if that would not be fewer.
  static Optional<byte[]> compress(byte[] raw, int level) {
    Compressor pooled = POOL.pollFirst();
    if (pooled == null) {
      NativeZstd.load();
    }
    Compressor compressor = pooled == null ? new Compressor() : pooled;
    Optional<byte[]> compressed = compressor.make(raw, level);
    POOL.offerFirst(compressor);
    return compressed;
  }

  private Optional<byte[]> make(byte[] raw, int wanted) {
    int bound = Math.toIntExact(Zstd.compressBound(raw.length));
    byte[] into = target.length >= bound ? target : new byte[bound];
    int length = context(raw.length, wanted).compressByteArray(into, 0, bound, raw, 0, raw.length);
    if (into.length <= KEPT_BYTES_MAX) {
      target = into;
    }
    return length < raw.length ? Optional.of(Arrays.copyOf(into, length)) : Optional.empty();
  }

  private ZstdCompressCtx context(int rawLength, int wanted) {
    if (wanted == 1 && rawLength >= TURN_BYTES_MIN && rawLength <= TURN_BYTES_MAX) {
      if (turns == null) {
        turns = new ZstdCompressCtx();
        turns.setLevel(1);
        turns.setHashLog(TURN_HASH_LOG);
        turns.setMinMatch(TURN_MIN_MATCH);
      }
      return turns;
    }
    if (wanted != level) {
      any.setLevel(wanted);
      level = wanted;
    }
    return any;
  }
}
