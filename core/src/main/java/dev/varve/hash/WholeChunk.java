// SPDX-License-Identifier: Apache-2.0
package dev.varve.hash;

/// A chunk whose bytes are all there: up to 1024 bytes hashed block after block (BLAKE3 paper,
/// 2.4).
final class WholeChunk {

  /// Bytes in a chunk; only the last of an input may have fewer.
  static final int SIZE = 1024;

  private WholeChunk() {}

  /// The number of chunks that hold `length` bytes: an empty input is one empty chunk.
  static long count(long length) {
    return length == 0 ? 1 : (length - 1) / SIZE + 1;
  }

  /// Writes the CV of the chunk of `length` bytes at `outAt`.
  ///
  /// @param length 0 to 1024
  /// @param counter how many chunks stand before this one
  /// @param root 0, or [CompressionFunction#ROOT] if the chunk is the whole input
  static void hash(
      byte[] bytes, int at, int length, long counter, int root, byte[] out, int outAt) {
    CompressionFunction.writeInitial(out, outAt);
    int start = CompressionFunction.CHUNK_START;
    int done = 0;
    while (length - done > CompressionFunction.BLOCK) {
      CompressionFunction.compress(
          out, outAt, bytes, at + done, CompressionFunction.BLOCK, counter, start, out, outAt);
      start = 0;
      done += CompressionFunction.BLOCK;
    }
    int left = length - done;
    int flags = start | CompressionFunction.CHUNK_END | root;
    if (left == CompressionFunction.BLOCK) {
      CompressionFunction.compress(out, outAt, bytes, at + done, left, counter, flags, out, outAt);
    } else {
      byte[] padded = new byte[CompressionFunction.BLOCK];
      System.arraycopy(bytes, at + done, padded, 0, left);
      CompressionFunction.compress(out, outAt, padded, 0, left, counter, flags, out, outAt);
    }
  }
}
