// SPDX-License-Identifier: Apache-2.0
package dev.varve.hash;

import java.util.Arrays;

/// The chunk that is still being filled: its CV so far and the block that waits.
///
/// The last block carries flags of its own and no block knows that it is the last, so a full block
/// waits here until a byte follows it. Hence, with `n` bytes taken, `blocks` is `(n - 1) / 64` and
/// the buffer holds 1 to 64 bytes; only an empty chunk has an empty buffer.
final class OpenChunk {

  final byte[] cv = new byte[CompressionFunction.CV];
  final byte[] buffer = new byte[CompressionFunction.BLOCK];
  int buffered;
  int blocks;

  /// The number of chunks before this chunk.
  long counter;

  OpenChunk() {
    CompressionFunction.writeInitial(cv, 0);
  }

  /// The number of bytes that were taken, 0 to 1024.
  int length() {
    return blocks * CompressionFunction.BLOCK + buffered;
  }

  /// Takes `length` more bytes; the caller sees to it that they fit.
  void update(byte[] bytes, int at, int length) {
    int from = at;
    int left = length;
    while (left > 0) {
      if (buffered == CompressionFunction.BLOCK) {
        mix(buffer, 0);
        buffered = 0;
      }
      if (buffered == 0) {
        for (; left > CompressionFunction.BLOCK; left -= CompressionFunction.BLOCK) {
          mix(bytes, from);
          from += CompressionFunction.BLOCK;
        }
      }
      int taken = Math.min(left, CompressionFunction.BLOCK - buffered);
      System.arraycopy(bytes, from, buffer, buffered, taken);
      buffered += taken;
      from += taken;
      left -= taken;
    }
  }

  /// Writes the CV of the chunk as it stands at `outAt`, and changes nothing here.
  ///
  /// @param root 0, or [CompressionFunction#ROOT] if the chunk is the whole input
  void finish(int root, byte[] out, int outAt) {
    Arrays.fill(buffer, buffered, CompressionFunction.BLOCK, (byte) 0);
    int flags = start() | CompressionFunction.CHUNK_END | root;
    CompressionFunction.compress(cv, 0, buffer, 0, buffered, counter, flags, out, outAt);
  }

  /// Empties the chunk, to be the one after `before` others.
  void restart(long before) {
    CompressionFunction.writeInitial(cv, 0);
    buffered = 0;
    blocks = 0;
    counter = before;
  }

  private void mix(byte[] block, int at) {
    CompressionFunction.compress(
        cv, 0, block, at, CompressionFunction.BLOCK, counter, start(), cv, 0);
    blocks++;
  }

  private int start() {
    return blocks == 0 ? CompressionFunction.CHUNK_START : 0;
  }
}
