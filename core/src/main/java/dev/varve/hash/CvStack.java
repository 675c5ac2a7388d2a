// SPDX-License-Identifier: Apache-2.0
package dev.varve.hash;

import java.util.Arrays;

/// The finished subtrees left of the open chunk, largest first (BLAKE3 paper, 5.1.2).
///
/// A subtree here is complete: it covers a power of two of chunks. There is one for each bit set in
/// [#chunks()], as in a binary counter, so the stack never holds more than [#MAX] CVs. Subtrees are
/// joined as soon as two are of one size, which is right only because a byte always follows them.
final class CvStack {

  /// A `long` counts at most 2^63 - 1 bytes, that is fewer than 2^53 chunks.
  static final int MAX = 53;

  private byte[] cvs;
  private int depth;
  private long chunks;

  CvStack() {
    this(new byte[0], 0);
  }

  /// The stack of the first `chunks` chunks of an input.
  ///
  /// @param cvs one CV for each bit set in `chunks`, largest subtree first
  CvStack(byte[] cvs, long chunks) {
    this.cvs = cvs;
    this.depth = Long.bitCount(chunks);
    this.chunks = chunks;
    if (cvs.length != depth * CompressionFunction.CV) {
      throw new IllegalArgumentException(cvs.length + " bytes of CVs for " + chunks + " chunks");
    }
  }

  /// The number of chunks that the subtrees cover.
  long chunks() {
    return chunks;
  }

  int depth() {
    return depth;
  }

  /// Puts on a subtree of `size` chunks and joins what can be joined.
  ///
  /// @param size a power of two that divides [#chunks()]
  void push(byte[] cv, int at, long size) {
    if (depth * CompressionFunction.CV == cvs.length) {
      cvs = Arrays.copyOf(cvs, Math.min(MAX, depth + 8) * CompressionFunction.CV);
    }
    System.arraycopy(cv, at, cvs, depth * CompressionFunction.CV, CompressionFunction.CV);
    depth++;
    chunks += size;
    for (long joined = size; (chunks & joined) == 0; joined <<= 1) {
      depth--;
      int left = (depth - 1) * CompressionFunction.CV;
      CompressionFunction.parent(cvs, left, 0, cvs, left);
    }
  }

  /// Joins the rightmost subtree's CV, the second half of `block`, with all those here, into the
  /// hash at the start of `block`. Changes nothing here.
  ///
  /// @param block 64 bytes; there is at least one subtree here
  void root(byte[] block) {
    for (int i = depth - 1; i >= 0; i--) {
      System.arraycopy(cvs, i * CompressionFunction.CV, block, 0, CompressionFunction.CV);
      int root = i == 0 ? CompressionFunction.ROOT : 0;
      CompressionFunction.parent(block, 0, root, block, i == 0 ? 0 : CompressionFunction.CV);
    }
  }

  /// Writes the CVs at `outAt`, largest subtree first.
  void write(byte[] out, int outAt) {
    System.arraycopy(cvs, 0, out, outAt, depth * CompressionFunction.CV);
  }
}
