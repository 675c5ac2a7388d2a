// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.bytes;

import dev.varve.BlobHash;
import org.jspecify.annotations.Nullable;

/// The place of a file's bytes in the store.
///
/// @param sizeBytes of the content; of a packed file, of the bytes inside
/// @param hash of the content. Without pieces it is also the name of the blob that holds it
/// @param pieces the blob with the pieces of a transcript, or null
/// @param words the blob with the words that the pieces name, or null
/// @param packed the blob with the bytes of a packed file as they lie on the disk, or null
public record StoredContent(
    long sizeBytes,
    BlobHash hash,
    @Nullable BlobHash pieces,
    @Nullable BlobHash words,
    @Nullable BlobHash packed) {

  /// The same content in a file that is packed in these bytes, or in none.
  public StoredContent packedIn(@Nullable BlobHash file) {
    return new StoredContent(sizeBytes, hash, pieces, words, file);
  }

  /// Says whether both hold the same bytes.
  public boolean isSameAs(StoredContent other) {
    return sizeBytes == other.sizeBytes && hash.equals(other.hash);
  }
}
