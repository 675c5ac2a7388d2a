// SPDX-License-Identifier: Apache-2.0
package dev.varve.chunk;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.StoreLimits;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.List;

/// The parts of a large blob, in order: blobs in one piece with their sizes. A blob's *root list*
/// names lists, each of those names chunks; there is no third level.
///
/// Page: `docs/format/chunk-lists.md`.
public final class ChunkList {

  /// The most entries of a root list. The largest blob has fewer: each list but the last stands for
  /// 64 KiB, or has 256 entries of more than 128 bytes.
  public static final int ROOT_ENTRIES_MAX = 1 << 17;

  private final MemorySegment bytes;

  /// Where each entry's content ends within what the list stands for.
  private final long[] ends;

  /// Which chunks a line feed follows.
  private final BitSet lineFeeds;

  private ChunkList(MemorySegment bytes, long[] ends, BitSet lineFeeds) {
    this.bytes = bytes;
    this.ends = ends;
    this.lineFeeds = lineFeeds;
  }

  /// The root list in these bytes.
  ///
  /// @throws StoreException.Invalid if they are none, or stand for less than a blob kept as chunks
  ///   has, or for more than a blob may have
  public static ChunkList root(byte[] bytes, ChunkSizes sizes) {
    ChunkList list = read("root list", bytes, ROOT_ENTRIES_MAX, sizes.listedBytesMax(), false);
    if (list.sizeBytes() <= sizes.maxBytes() || list.sizeBytes() > StoreLimits.BLOB_BYTES) {
      throw new StoreException.Invalid(
          "root list",
          "expected more than %d and at most %d bytes in all, found %d"
              .formatted(sizes.maxBytes(), StoreLimits.BLOB_BYTES, list.sizeBytes()));
    }
    return list;
  }

  /// The list of chunks in these bytes.
  ///
  /// @throws StoreException.Invalid if they are none
  public static ChunkList chunks(byte[] bytes, ChunkSizes sizes) {
    return read("list of chunks", bytes, sizes.maxEntries(), sizes.maxBytes(), true);
  }

  /// The most bytes that a root list has.
  public static int rootBytesMax() {
    return ROOT_ENTRIES_MAX * ListEntry.SIZE_BYTES;
  }

  /// The most bytes that a list of chunks has.
  public static int bytesMax(ChunkSizes sizes) {
    return sizes.maxEntries() * ListEntry.SIZE_BYTES;
  }

  private static ChunkList read(
      String what, byte[] bytes, int entriesMax, long entryBytesMax, boolean ofChunks) {
    int count = bytes.length / ListEntry.SIZE_BYTES;
    if (bytes.length % ListEntry.SIZE_BYTES != 0 || count < 1 || count > entriesMax) {
      throw new StoreException.Invalid(
          what,
          "expected 1 to %d entries of %d bytes, found %d bytes"
              .formatted(entriesMax, ListEntry.SIZE_BYTES, bytes.length));
    }
    MemorySegment segment = MemorySegment.ofArray(bytes);
    BitSet lineFeeds = new BitSet();
    long[] ends = new long[count];
    long end = 0;
    for (int i = 0; i < count; i++) {
      lineFeeds.set(i, ofChunks && ListEntry.lineFeed(segment, i));
      long length = ofChunks ? ListEntry.chunkLength(segment, i) : ListEntry.length(segment, i);
      int least = lineFeeds.get(i) ? 2 : 1;
      if (length < least || length > entryBytesMax) {
        throw new StoreException.Invalid(
            what,
            "expected %d to %d bytes in entry %d, found %d"
                .formatted(least, entryBytesMax, i, length));
      }
      end += length;
      ends[i] = end;
    }
    return new ChunkList(segment, ends, lineFeeds);
  }

  /// The bytes of a list.
  static byte[] write(List<ListEntry> entries) {
    byte[] bytes = new byte[entries.size() * ListEntry.SIZE_BYTES];
    MemorySegment target = MemorySegment.ofArray(bytes);
    for (int i = 0; i < entries.size(); i++) {
      entries.get(i).write(target, (long) i * ListEntry.SIZE_BYTES);
    }
    return bytes;
  }

  public int count() {
    return ends.length;
  }

  /// The number of bytes for which the list stands.
  public long sizeBytes() {
    return ends[ends.length - 1];
  }

  public BlobHash hash(int index) {
    return ListEntry.hash(bytes, index);
  }

  /// Returns whether a line feed follows the entry's chunk.
  public boolean lineFeed(int index) {
    return lineFeeds.get(index);
  }

  /// The size of the entry's chunk: the bytes for which the entry stands, without the line feed.
  public long chunkBytes(int index) {
    return length(index) - (lineFeed(index) ? 1 : 0);
  }

  /// The number of bytes for which the entry stands.
  public long length(int index) {
    return ends[index] - start(index);
  }

  /// Where the entry's content starts within what the list stands for.
  public long start(int index) {
    return index == 0 ? 0 : ends[index - 1];
  }

  /// The entry in whose content the byte at `position` is.
  public int at(long position) {
    int low = 0;
    int high = ends.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ends[middle] <= position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
