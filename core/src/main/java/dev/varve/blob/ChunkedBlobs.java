// SPDX-License-Identifier: Apache-2.0
package dev.varve.blob;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.chunk.BlobVerification;
import dev.varve.chunk.ChunkList;
import dev.varve.chunk.ChunkSizes;
import dev.varve.chunk.ChunkSource;
import dev.varve.chunk.ChunkedStream;
import java.util.Arrays;
import java.util.function.ToLongFunction;

/// The blobs of a pack that are kept as chunks: records whose stored bytes are a root list.
///
/// Page: `docs/format/chunk-lists.md`.
final class ChunkedBlobs {

  private final PackRead reads;
  private final ChunkSizes sizes;
  private final ToLongFunction<BlobHash> places;
  private final ChunkSource pieces;

  /// @param places where the record of a blob is, or -1
  /// @param pieces the blobs in one piece
  ChunkedBlobs(
      PackRead reads, ChunkSizes sizes, ToLongFunction<BlobHash> places, ChunkSource pieces) {
    this.reads = reads;
    this.sizes = sizes;
    this.places = places;
    this.pieces = pieces;
  }

  static boolean isChunked(BlobRecord record) {
    return record.codec() == Codec.CHUNKS.number();
  }

  /// The bytes of the root list of the record at `offset`.
  byte[] rootBytes(long offset, BlobRecord record) {
    return reads.stored(offset, record, ChunkList.rootBytesMax());
  }

  private ChunkList root(long offset, BlobRecord record) {
    ChunkList root;
    try {
      root = ChunkList.root(rootBytes(offset, record), sizes);
    } catch (StoreException.Invalid e) {
      throw PackRead.corrupt(offset, "a root list", String.valueOf(e.getMessage()));
    }
    if (root.sizeBytes() != record.rawLength()) {
      throw PackRead.corrupt(
          offset,
          "a root list of " + record.rawLength() + " bytes",
          "one of " + root.sizeBytes() + " bytes");
    }
    return root;
  }

  /// The bytes from `from` to `end` of the blob whose record is at `offset`.
  ChunkedStream stream(long offset, BlobRecord record, long from, long end) {
    ChunkedStream.Place place = new ChunkedStream.Place(record.hash(), BlobRecord.FILE, offset);
    return new ChunkedStream(place, sizes, root(offset, record), pieces, from, end);
  }

  /// The verification of the blobs of a whole pack.
  BlobVerification verification() {
    return new BlobVerification(sizes, pieces);
  }

  void verify(long offset, BlobRecord record, BlobVerification verification) {
    verification.verify(
        new ChunkedStream.Place(record.hash(), BlobRecord.FILE, offset), root(offset, record));
  }

  /// All bytes of a blob whose size was found to be within what may be got at once.
  byte[] all(long offset, BlobRecord record) {
    ChunkedStream stream = stream(offset, record, 0, record.rawLength());
    byte[] all = new byte[(int) record.rawLength()];
    for (int done = 0; done < all.length; ) {
      done += stream.read(all, done, all.length - done);
    }
    return all;
  }

  /// Returns whether the lists are right, and all chunks present with the content that their hashes
  /// say. The checksum of the root record holds.
  boolean isWhole(long offset, BlobRecord record) {
    try {
      ChunkList root = root(offset, record);
      for (int i = 0; i < root.count(); i++) {
        byte[] bytes = pieces.get(root.hash(i), ChunkList.bytesMax(sizes)).unsafeArray();
        ChunkList list = ChunkList.chunks(bytes, sizes);
        if (list.sizeBytes() != root.length(i) || !isWhole(list)) {
          return false;
        }
      }
      return true;
    } catch (StoreException.Corrupt | StoreException.Invalid | StoreException.NotFound e) {
      return false;
    }
  }

  private boolean isWhole(ChunkList list) {
    for (int i = 0; i < list.count(); i++) {
      long place = places.applyAsLong(list.hash(i));
      if (place < 0
          || !reads.isReadable(list.hash(i), place, sizes.maxBytes())
          || reads.record(place).rawLength() != list.chunkBytes(i)) {
        return false;
      }
    }
    return true;
  }

  /// Returns whether the record at `offset` has exactly this root list.
  boolean has(byte[] rootList, long offset, BlobRecord record) {
    return record.storedLength() == rootList.length
        && Arrays.equals(rootBytes(offset, record), rootList);
  }

  /// Reads the whole blob that a root list stands for.
  ///
  /// @throws StoreException.Invalid if it stands for no blob of this name
  long verify(BlobHash hash, byte[] rootList) {
    return ChunkedStream.verify(hash, rootList, sizes, pieces);
  }
}
