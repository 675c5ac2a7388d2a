// SPDX-License-Identifier: Apache-2.0
package dev.varve.hash;

/// Hashes up to 64 chunks at once and joins them level by level, so that an engine with lanes has
/// full ones.
///
/// Joining neighbours level by level, an odd one out going up as it is, gives the tree of the
/// paper: its left subtree is always the largest power of two of chunks that leaves something to
/// the right.
final class WideTree {

  /// The most chunks in one call: 64 KiB of input stay in the first caches, and the narrow levels
  /// at the top of the tree cost under 3 %.
  static final int MOST_CHUNKS = 64;

  /// The most bytes in one call.
  static final int MOST_BYTES = MOST_CHUNKS * WholeChunk.SIZE;

  private WideTree() {}

  /// Hashes a whole input into the first 32 bytes of what is returned.
  ///
  /// @param length 1025 to 65,536
  static byte[] root(Blake3Lanes lanes, byte[] bytes, int at, int length) {
    int count = (int) WholeChunk.count(length);
    byte[] cvs = new byte[count * CompressionFunction.CV];
    lanes.chunks(bytes, at, length, 0, cvs, 0);
    join(lanes, cvs, 0, count, 2);
    CompressionFunction.parent(cvs, 0, CompressionFunction.ROOT, cvs, 0);
    return cvs;
  }

  /// Hashes whole chunks that are followed by at least one byte more, and puts their subtrees on
  /// `stack`.
  ///
  /// @param count 1 to 64
  /// @param cvs scratch, 32 bytes for each chunk
  static void push(Blake3Lanes lanes, byte[] bytes, int at, int count, CvStack stack, byte[] cvs) {
    lanes.chunks(bytes, at, count * WholeChunk.SIZE, stack.chunks(), cvs, 0);
    int done = 0;
    while (done < count) {
      int size = Integer.highestOneBit(count - done);
      if (stack.chunks() != 0) {
        size = (int) Math.min(size, Long.lowestOneBit(stack.chunks()));
      }
      join(lanes, cvs, done * CompressionFunction.CV, size, 1);
      stack.push(cvs, done * CompressionFunction.CV, size);
      done += size;
    }
  }

  /// Joins neighbours, level by level, until `goal` CVs are left at `at`.
  private static void join(Blake3Lanes lanes, byte[] cvs, int at, int count, int goal) {
    int left = count;
    while (left > goal) {
      int pairs = left / 2;
      if (pairs == 1) {
        CompressionFunction.parent(cvs, at, 0, cvs, at);
      } else {
        lanes.parents(cvs, at, pairs);
      }
      if (left % 2 == 1) {
        System.arraycopy(
            cvs,
            at + (left - 1) * CompressionFunction.CV,
            cvs,
            at + pairs * CompressionFunction.CV,
            CompressionFunction.CV);
      }
      left = pairs + left % 2;
    }
  }
}
