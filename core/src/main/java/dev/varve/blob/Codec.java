// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;

/// How stored bytes become raw ones: the `codec` of a `BlobRecord`.
public enum Codec {
  /// As they are.
  NONE(0),
  /// One zstd frame (RFC 8878).
  ZSTD(1);

  private final int number;

  Codec(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  /// The codec with this number, if this version knows it.
  public static Optional<Codec> of(int number) {
    return switch (number) {
      case 0 -> Optional.of(NONE);
      case 1 -> Optional.of(ZSTD);
      default -> Optional.empty();
    };
  }

  // A context costs more to make than most blobs cost to compress, and may serve one thread at a time.
  private static final ConcurrentLinkedQueue<ZstdCompressCtx> COMPRESSORS =
      new ConcurrentLinkedQueue<>();
  private static final ConcurrentLinkedQueue<ZstdDecompressCtx> DECOMPRESSORS =
      new ConcurrentLinkedQueue<>();

  /// The bytes compressed by zstd, or empty if they would not become fewer.
  static Optional<byte[]> compress(byte[] raw, int level) {
    if (raw.length < 32) {
      return Optional.empty(); // a frame's own bytes eat what could be saved
    }
    ZstdCompressCtx context = COMPRESSORS.poll();
    if (context == null) {
      context = new ZstdCompressCtx();
    }
    context.setLevel(level);
    byte[] compressed = context.compress(raw);
    COMPRESSORS.offer(context);
    return compressed.length < raw.length ? Optional.of(compressed) : Optional.empty();
  }

  /// The raw bytes, or empty if the stored bytes do not decode to exactly `rawLength` bytes. Never takes more memory than
  /// that.
  public Optional<byte[]> decode(byte[] stored, int rawLength) {
    return switch (this) {
      case NONE -> stored.length == rawLength ? Optional.of(stored) : Optional.empty();
      case ZSTD -> {
        ZstdDecompressCtx context = DECOMPRESSORS.poll();
        if (context == null) {
          context = new ZstdDecompressCtx();
        }
        try {
          byte[] raw = new byte[rawLength];
          int length = context.decompressByteArray(raw, 0, rawLength, stored, 0, stored.length);
          DECOMPRESSORS.offer(context);
          yield length == rawLength ? Optional.of(raw) : Optional.empty();
        } catch (ZstdException e) {
          context.close(); // its state after a refusal is nobody's business
          yield Optional.empty();
        }
      }
    };
  }
}
