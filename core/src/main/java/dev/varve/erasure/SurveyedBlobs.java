// SPDX-License-Identifier: Apache-2.0
package dev.varve.erasure;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.chunk.ChunkList;
import dev.varve.chunk.ChunkSizes;
import dev.varve.chunk.ChunkedStream;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.BitSet;
import java.util.function.LongConsumer;

/// The records of blobs at one moment of a store. Records that are added meanwhile are not among
/// them.
public interface SurveyedBlobs {

  /// A record.
  ///
  /// @param offset bytes of all records before
  /// @param rawBytes size of the blob; of a blob kept as chunks, of all its chunks
  /// @param storedBytes size of the record
  record Blob(BlobHash hash, long offset, long rawBytes, long storedBytes, boolean chunked) {}

  /// Takes the content of records.
  @FunctionalInterface
  interface ContentVisitor {

    /// Takes the content of a record; of a blob kept as chunks its root list.
    void content(int ordinal, byte[] content);
  }

  /// The number of records, superseded ones included.
  int blobCount();

  /// Bytes of all records.
  long endBytes();

  /// The sizes of chunks and lists.
  ChunkSizes chunkSizes();

  Blob blob(int ordinal);

  /// Returns whether a record is the one in which its blob is found; the others are superseded.
  boolean isLive(int ordinal);

  /// The ordinal of a blob's live record; -1 if there is no such blob.
  int ordinal(BlobHash hash);

  /// The bytes of a blob, verified; of a blob kept as chunks its root list.
  ///
  /// @throws StoreException.Corrupt if the record is damaged
  byte[] content(int ordinal);

  /// Hands over the content of the chosen records, in the order of their ordinals.
  ///
  /// @throws StoreException.Corrupt if one of them is damaged
  default void contents(BitSet chosen, ContentVisitor visitor) {
    for (int at = chosen.nextSetBit(0); at >= 0; at = chosen.nextSetBit(at + 1)) {
      visitor.content(at, content(at));
    }
  }

  /// Refuses records with damage whose content nobody has elsewhere: what they need is not known.
  ///
  /// @param reached is given how many bytes of the records were verified
  /// @throws StoreException.Corrupt at the first such record
  void requireWhole(LongConsumer reached);

  /// The refusal of a damaged record.
  StoreException.Corrupt corrupt(int ordinal, String expected, String found);

  /// The ordinal of the live record of a piece that a list names.
  ///
  /// @throws StoreException.Corrupt if there is no such blob
  default int requireOrdinal(BlobHash piece) {
    int ordinal = ordinal(piece);
    if (ordinal < 0) {
      throw corrupt(0, "blob " + piece + ", of which a large blob is made", "none");
    }
    return ordinal;
  }

  /// The lists of a blob that is kept as chunks.
  default ChunkList rootList(int ordinal) {
    try {
      return ChunkList.root(content(ordinal), chunkSizes());
    } catch (StoreException.Invalid e) {
      throw corrupt(ordinal, "a root list", String.valueOf(e.getMessage()));
    }
  }

  /// The chunks of a list.
  ///
  /// @throws StoreException.Corrupt if the blob is no list
  default ChunkList chunkList(int ordinal) {
    try {
      return ChunkList.chunks(content(ordinal), chunkSizes());
    } catch (StoreException.Invalid e) {
      throw corrupt(ordinal, "a list of chunks", String.valueOf(e.getMessage()));
    }
  }

  /// The content of a blob of any size, verified.
  ///
  /// @throws StoreException.Corrupt if the blob, or a piece of it, is damaged
  default InputStream stream(int ordinal) {
    if (!blob(ordinal).chunked()) {
      return new ByteArrayInputStream(content(ordinal));
    }
    ChunkList root = rootList(ordinal);
    ChunkedStream.Place place =
        new ChunkedStream.Place(blob(ordinal).hash(), "blobs", blob(ordinal).offset());
    return new ChunkedStream(
        place,
        chunkSizes(),
        root,
        (piece, _) -> Payload.wrap(content(requireOrdinal(piece))),
        0,
        root.sizeBytes());
  }
}
