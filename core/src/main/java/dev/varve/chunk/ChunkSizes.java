// SPDX-License-Identifier: Apache-2.0
package dev.varve.chunk;

/// The sizes of chunks and lists. [#DEFAULTS] is part of the format; tests use small numbers.
///
/// @param minBytes no chunk is smaller, but the last of a blob, lines of JSON, and what lies
///   between these lines
/// @param averageBytes what chunks tend to; a power of two
/// @param maxBytes no chunk is larger; a blob kept as chunks always is
/// @param minEntries no list but the last of a blob has fewer chunks
/// @param averageEntries how many more chunks a list tends to have; a power of two
/// @param maxEntries no list has more chunks
public record ChunkSizes(
    int minBytes,
    int averageBytes,
    int maxBytes,
    int minEntries,
    int averageEntries,
    int maxEntries) {

  /// 4, 16 and 64 KiB a chunk; 16, 64 more and 256 chunks a list.
  public static final ChunkSizes DEFAULTS =
      new ChunkSizes(4 << 10, 16 << 10, 64 << 10, 16, 64, 256);

  public ChunkSizes {
    boolean ordered =
        1 <= minBytes
            && minBytes < averageBytes
            && averageBytes < maxBytes
            && 1 <= minEntries
            && minEntries < maxEntries;
    if (!ordered || Integer.bitCount(averageBytes) != 1 || Integer.bitCount(averageEntries) != 1) {
      throw new IllegalArgumentException(
          "chunk sizes: "
              + minBytes
              + ", "
              + averageBytes
              + ", "
              + maxBytes
              + "; "
              + minEntries
              + ", "
              + averageEntries
              + ", "
              + maxEntries);
    }
  }

  /// The most bytes that one list of chunks can stand for.
  public long listedBytesMax() {
    return (long) maxEntries * maxBytes;
  }

  /// The fewest bytes of a line of JSON that becomes a chunk of its own. A reference to a shorter
  /// line would save little.
  public int lineBytesMin() {
    return Math.max(1, minBytes / 32);
  }

  /// The fewest bytes that a list stands for which ends before it is full. So a blob of the largest
  /// size has no more lists than a root list takes, however short its chunks are.
  long listBytesMin() {
    return (long) minEntries * minBytes;
  }

  /// The number of bytes of new blobs that [ChunkedPut] gathers before it hands them over.
  int batchBytes() {
    return 16 * maxBytes;
  }
}
