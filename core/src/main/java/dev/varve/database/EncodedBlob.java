// SPDX-License-Identifier: Apache-2.0
package dev.varve.database;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.blob.Codec;
import dev.varve.hash.Blake3;
import java.util.Optional;

/// A row of the table `blob`: the bytes as they are stored, and what they become.
///
/// @param rawBytes size of the content
/// @param codec number of a [Codec]
/// @param data the content, compressed or as it is; of a blob that is kept as chunks its root list
@SuppressWarnings("ArrayRecordComponent") // never compared, and copied by nobody
public record EncodedBlob(BlobHash hash, long rawBytes, int codec, byte[] data) {

  /// The row of a blob in one piece.
  public static EncodedBlob of(BlobHash hash, Payload content, int zstdLevel) {
    byte[] raw = content.unsafeArray();
    return Codec.compress(raw, zstdLevel)
        .map(zstd -> new EncodedBlob(hash, raw.length, Codec.ZSTD.number(), zstd))
        .orElseGet(() -> new EncodedBlob(hash, raw.length, Codec.NONE.number(), raw));
  }

  /// The row of a blob that is kept as chunks.
  public static EncodedBlob chunked(BlobHash hash, long rawBytes, Payload rootList) {
    return new EncodedBlob(hash, rawBytes, Codec.CHUNKS.number(), rootList.unsafeArray());
  }

  public boolean isChunked() {
    return codec == Codec.CHUNKS.number();
  }

  /// The content of a blob in one piece, verified.
  ///
  /// @param bytesMax the most it may have; no memory is taken for more
  /// @throws StoreException.Corrupt if the row is damaged
  public Payload content(long bytesMax) {
    if (rawBytes < 0 || rawBytes > bytesMax) {
      throw corrupt("at most " + bytesMax + " bytes", rawBytes + " bytes");
    }
    Optional<byte[]> raw = Codec.of(codec).flatMap(known -> known.decode(data, (int) rawBytes));
    if (raw.isEmpty()) {
      throw corrupt(rawBytes + " bytes by codec " + codec, "other bytes");
    }
    BlobHash found = Blake3.hash(raw.get());
    if (!found.equals(hash)) {
      throw corrupt("content with the hash " + hash, "content with the hash " + found);
    }
    return Payload.wrap(raw.get());
  }

  public StoreException.Corrupt corrupt(String expected, String found) {
    return new StoreException.Corrupt("table blob, row " + hash, 0, expected, found);
  }
}
