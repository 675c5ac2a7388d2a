// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import dev.varve.BlobHash;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A blob made ready by its caller's thread, so that the writing thread only has to place it.
///
/// @param stored the bytes as they will stand in the record; null if a good copy is already there
/// @param pieces the chunks and lists of a blob that is kept as chunks, as far as they have to be
///   placed before it
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PreparedBlob(
    BlobHash hash,
    long rawLength,
    Codec codec,
    byte @Nullable [] stored,
    List<PreparedBlob> pieces) {

  PreparedBlob(BlobHash hash, long rawLength, Codec codec, byte @Nullable [] stored) {
    this(hash, rawLength, codec, stored, List.of());
  }

  public boolean isNew() {
    return stored != null;
  }

  /// The record to write.
  public BlobRecord record() {
    if (stored == null) {
      throw new AssertionError("blob " + hash + " is already there");
    }
    return new BlobRecord(codec.number(), rawLength, stored.length, hash);
  }
}
