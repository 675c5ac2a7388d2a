// SPDX-License-Identifier: Apache-2.0
package dev.varve.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The compression function: one block of 64 bytes mixed into a chaining value (BLAKE3 paper, 2.2).
///
/// A chaining value (CV) is 32 bytes, eight little-endian words, everywhere in this room: two of
/// them side by side are then already the block of their parent, and a saved state is a plain copy.
final class CompressionFunction {

  /// Bytes in a block.
  static final int BLOCK = 64;

  /// Bytes in a chaining value.
  static final int CV = 32;

  /// Set on the first block of a chunk.
  static final int CHUNK_START = 1;

  /// Set on the last block of a chunk.
  static final int CHUNK_END = 2;

  /// Set on the block that joins two subtrees.
  static final int PARENT = 4;

  /// Set on the very last compression, the one that makes the hash.
  static final int ROOT = 8;

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int IV0 = 0x6A09E667;
  private static final int IV1 = 0xBB67AE85;
  private static final int IV2 = 0x3C6EF372;
  private static final int IV3 = 0xA54FF53A;
  private static final int IV4 = 0x510E527F;
  private static final int IV5 = 0x9B05688C;
  private static final int IV6 = 0x1F83D9AB;
  private static final int IV7 = 0x5BE0CD19;

  private static final byte[] INITIAL = initial();

  private CompressionFunction() {}

  /// Writes the CV every chunk starts from (and, of an unkeyed hash, every parent) at `outAt`.
  static void writeInitial(byte[] out, int outAt) {
    System.arraycopy(INITIAL, 0, out, outAt, CV);
  }

  /// Joins the two CVs at `childrenAt` into the CV of their parent, at `outAt`; the places may
  /// overlap.
  ///
  /// @param root 0, or [#ROOT] if no node stands above this one
  static void parent(byte[] children, int childrenAt, int root, byte[] out, int outAt) {
    compress(INITIAL, 0, children, childrenAt, BLOCK, 0, PARENT | root, out, outAt);
  }

  /// Mixes a block into `cv` and writes the new CV at `outAt`; all places may overlap.
  ///
  /// The seven rounds are a loop over locals, and the message is permuted by renaming them:
  /// unrolled, or with the message in an array, the JIT spills more and the code runs at two thirds
  /// of the speed (docs/decisions/0003-blake3.md).
  ///
  /// @param block 64 bytes at `blockAt`, zero after the first `length`
  /// @param counter of a chunk, how many chunks stand before it; of a parent, 0
  static void compress(
      byte[] cv,
      int cvAt,
      byte[] block,
      int blockAt,
      int length,
      long counter,
      int flags,
      byte[] out,
      int outAt) {
    int s0 = (int) WORD.get(cv, cvAt);
    int s1 = (int) WORD.get(cv, cvAt + 4);
    int s2 = (int) WORD.get(cv, cvAt + 8);
    int s3 = (int) WORD.get(cv, cvAt + 12);
    int s4 = (int) WORD.get(cv, cvAt + 16);
    int s5 = (int) WORD.get(cv, cvAt + 20);
    int s6 = (int) WORD.get(cv, cvAt + 24);
    int s7 = (int) WORD.get(cv, cvAt + 28);
    int s8 = IV0;
    int s9 = IV1;
    int s10 = IV2;
    int s11 = IV3;
    int s12 = (int) counter;
    int s13 = (int) (counter >>> 32);
    int s14 = length;
    int s15 = flags;
    int m0 = (int) WORD.get(block, blockAt);
    int m1 = (int) WORD.get(block, blockAt + 4);
    int m2 = (int) WORD.get(block, blockAt + 8);
    int m3 = (int) WORD.get(block, blockAt + 12);
    int m4 = (int) WORD.get(block, blockAt + 16);
    int m5 = (int) WORD.get(block, blockAt + 20);
    int m6 = (int) WORD.get(block, blockAt + 24);
    int m7 = (int) WORD.get(block, blockAt + 28);
    int m8 = (int) WORD.get(block, blockAt + 32);
    int m9 = (int) WORD.get(block, blockAt + 36);
    int m10 = (int) WORD.get(block, blockAt + 40);
    int m11 = (int) WORD.get(block, blockAt + 44);
    int m12 = (int) WORD.get(block, blockAt + 48);
    int m13 = (int) WORD.get(block, blockAt + 52);
    int m14 = (int) WORD.get(block, blockAt + 56);
    int m15 = (int) WORD.get(block, blockAt + 60);
    int kept;
    for (int round = 0; round < 7; round++) {
      // the four columns
      s0 += s4 + m0;
      s12 = Integer.rotateRight(s12 ^ s0, 16);
      s8 += s12;
      s4 = Integer.rotateRight(s4 ^ s8, 12);
      s0 += s4 + m1;
      s12 = Integer.rotateRight(s12 ^ s0, 8);
      s8 += s12;
      s4 = Integer.rotateRight(s4 ^ s8, 7);
      s1 += s5 + m2;
      s13 = Integer.rotateRight(s13 ^ s1, 16);
      s9 += s13;
      s5 = Integer.rotateRight(s5 ^ s9, 12);
      s1 += s5 + m3;
      s13 = Integer.rotateRight(s13 ^ s1, 8);
      s9 += s13;
      s5 = Integer.rotateRight(s5 ^ s9, 7);
      s2 += s6 + m4;
      s14 = Integer.rotateRight(s14 ^ s2, 16);
      s10 += s14;
      s6 = Integer.rotateRight(s6 ^ s10, 12);
      s2 += s6 + m5;
      s14 = Integer.rotateRight(s14 ^ s2, 8);
      s10 += s14;
      s6 = Integer.rotateRight(s6 ^ s10, 7);
      s3 += s7 + m6;
      s15 = Integer.rotateRight(s15 ^ s3, 16);
      s11 += s15;
      s7 = Integer.rotateRight(s7 ^ s11, 12);
      s3 += s7 + m7;
      s15 = Integer.rotateRight(s15 ^ s3, 8);
      s11 += s15;
      s7 = Integer.rotateRight(s7 ^ s11, 7);
      // the four diagonals
      s0 += s5 + m8;
      s15 = Integer.rotateRight(s15 ^ s0, 16);
      s10 += s15;
      s5 = Integer.rotateRight(s5 ^ s10, 12);
      s0 += s5 + m9;
      s15 = Integer.rotateRight(s15 ^ s0, 8);
      s10 += s15;
      s5 = Integer.rotateRight(s5 ^ s10, 7);
      s1 += s6 + m10;
      s12 = Integer.rotateRight(s12 ^ s1, 16);
      s11 += s12;
      s6 = Integer.rotateRight(s6 ^ s11, 12);
      s1 += s6 + m11;
      s12 = Integer.rotateRight(s12 ^ s1, 8);
      s11 += s12;
      s6 = Integer.rotateRight(s6 ^ s11, 7);
      s2 += s7 + m12;
      s13 = Integer.rotateRight(s13 ^ s2, 16);
      s8 += s13;
      s7 = Integer.rotateRight(s7 ^ s8, 12);
      s2 += s7 + m13;
      s13 = Integer.rotateRight(s13 ^ s2, 8);
      s8 += s13;
      s7 = Integer.rotateRight(s7 ^ s8, 7);
      s3 += s4 + m14;
      s14 = Integer.rotateRight(s14 ^ s3, 16);
      s9 += s14;
      s4 = Integer.rotateRight(s4 ^ s9, 12);
      s3 += s4 + m15;
      s14 = Integer.rotateRight(s14 ^ s3, 8);
      s9 += s14;
      s4 = Integer.rotateRight(s4 ^ s9, 7);
      // the permutation of the message, as its two cycles
      kept = m0;
      m0 = m2;
      m2 = m3;
      m3 = m10;
      m10 = m12;
      m12 = m9;
      m9 = m11;
      m11 = m5;
      m5 = kept;
      kept = m1;
      m1 = m6;
      m6 = m4;
      m4 = m7;
      m7 = m13;
      m13 = m14;
      m14 = m15;
      m15 = m8;
      m8 = kept;
    }
    WORD.set(out, outAt, s0 ^ s8);
    WORD.set(out, outAt + 4, s1 ^ s9);
    WORD.set(out, outAt + 8, s2 ^ s10);
    WORD.set(out, outAt + 12, s3 ^ s11);
    WORD.set(out, outAt + 16, s4 ^ s12);
    WORD.set(out, outAt + 20, s5 ^ s13);
    WORD.set(out, outAt + 24, s6 ^ s14);
    WORD.set(out, outAt + 28, s7 ^ s15);
  }

  private static byte[] initial() {
    int[] words = {IV0, IV1, IV2, IV3, IV4, IV5, IV6, IV7};
    byte[] cv = new byte[CV];
    for (int i = 0; i < words.length; i++) {
      WORD.set(cv, 4 * i, words[i]);
    }
    return cv;
  }
}
