// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentLinkedDeque;

/// How stored bytes become raw ones: the `codec` of a `BlobRecord`.
public enum Codec {
  /// As they are.
  NONE(0),
  /// One zstd frame (RFC 8878).
  ZSTD(1),
  /// The stored bytes are the root list of chunks (docs/format/chunk-lists.md).
  CHUNKS(2);

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
      case 2 -> Optional.of(CHUNKS);
      default -> Optional.empty();
    };
  }

  // A context costs more to make than most blobs cost to compress, and may serve one thread at a
  // time. The one used last is
  // used first: its tables are still in the processor's cache.
  private static final ConcurrentLinkedDeque<Compressor> COMPRESSORS =
      new ConcurrentLinkedDeque<>();
  private static final ConcurrentLinkedDeque<ZstdDecompressCtx> DECOMPRESSORS =
      new ConcurrentLinkedDeque<>();

  /// A context that is set to a level, and room for what it makes.
  private static final class Compressor {

    /// A larger result gets an array of its own, so that one large blob does not hold memory for
    /// ever.
    private static final int KEPT_BYTES_MAX = 1 << 20;

    private final ZstdCompressCtx context = new ZstdCompressCtx();
    private int level = Integer.MIN_VALUE;
    private byte[] target = new byte[0];

    Optional<byte[]> compress(byte[] raw, int wanted) {
      if (wanted != level) {
        context.setLevel(wanted);
        level = wanted;
      }
      int bound = Math.toIntExact(Zstd.compressBound(raw.length));
      byte[] into = target.length >= bound ? target : new byte[bound];
      int length = context.compressByteArray(into, 0, into.length, raw, 0, raw.length);
      if (into.length <= KEPT_BYTES_MAX) {
        target = into;
      }
      return length < raw.length ? Optional.of(Arrays.copyOf(into, length)) : Optional.empty();
    }
  }

  /// The bytes compressed by zstd, or empty if they would not become fewer.
  static Optional<byte[]> compress(byte[] raw, int level) {
    if (raw.length < 32) {
      return Optional.empty(); // a frame's own bytes eat what could be saved
    }
    Compressor pooled = COMPRESSORS.pollFirst();
    Compressor compressor = pooled == null ? new Compressor() : pooled;
    Optional<byte[]> compressed = compressor.compress(raw, level);
    COMPRESSORS.offerFirst(compressor);
    return compressed;
  }

  /// How many bytes a zstd frame says it decodes to; empty if it does not say, or is none.
  public static OptionalLong zstdContentSize(byte[] frame) {
    long size = Zstd.getFrameContentSize(frame, 0, frame.length, false);
    return size > 0 ? OptionalLong.of(size) : OptionalLong.empty(); // 0 also stands for unknown
  }

  /// The raw bytes, or empty if the stored bytes do not decode to exactly `rawLength` bytes, or
  /// need chunks to do so. Never takes more memory than that.
  public Optional<byte[]> decode(byte[] stored, int rawLength) {
    return switch (this) {
      case CHUNKS -> Optional.empty();
      case NONE -> stored.length == rawLength ? Optional.of(stored) : Optional.empty();
      case ZSTD -> {
        ZstdDecompressCtx context = DECOMPRESSORS.pollFirst();
        if (context == null) {
          context = new ZstdDecompressCtx();
        }
        try {
          byte[] raw = new byte[rawLength];
          int length = context.decompressByteArray(raw, 0, rawLength, stored, 0, stored.length);
          DECOMPRESSORS.offerFirst(context);
          yield length == rawLength ? Optional.of(raw) : Optional.empty();
        } catch (ZstdException e) {
          context.close(); // its state after a refusal is nobody's business
          yield Optional.empty();
        }
      }
    };
  }
}
