// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentLinkedDeque;

/// The method by which stored bytes become raw bytes: the `codec` of a `BlobRecord`.
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

  // A context costs more to make than most blobs cost to decompress, and may serve one thread at a
  // time.
  private static final ConcurrentLinkedDeque<ZstdDecompressCtx> DECOMPRESSORS =
      new ConcurrentLinkedDeque<>();

  /// Loads the native code of zstd, which otherwise happens at the first compressed blob. The code
  /// is unpacked into the folder for temporary files, which may be full or forbid execution.
  ///
  /// @throws dev.varve.StoreException.Io if the code cannot be loaded; later calls in this process
  ///   fail too
  public static void loadNativeCode() {
    NativeZstd.load();
  }

  /// The bytes compressed by zstd, or empty if they would not become fewer.
  public static Optional<byte[]> compress(byte[] raw, int level) {
    if (raw.length < 32) {
      return Optional.empty(); // a frame's own bytes eat what could be saved
    }
    return Compressor.compress(raw, level);
  }

  /// The size of the decoded content as a zstd frame declares it; empty if the frame does not
  /// declare the size, or if the bytes are not a frame.
  public static OptionalLong zstdContentSize(byte[] frame) {
    NativeZstd.load();
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
          NativeZstd.load();
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
