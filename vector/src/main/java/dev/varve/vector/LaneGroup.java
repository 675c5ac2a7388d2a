// SPDX-License-Identifier: Apache-2.0
package dev.varve.vector;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Up to a vector's lanes of chunks or parents, hashed side by side; and the scratch space for it.
final class LaneGroup {

  private static final int CHUNK = 1024;
  private static final int BLOCK = 64;
  private static final int BLOCKS = CHUNK / BLOCK;
  private static final int CHUNK_START = 1;
  private static final int CHUNK_END = 2;
  private static final int PARENT = 4;

  private static final int[] INITIAL = {
    0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19
  };

  private static final VarHandle U32 =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final HashLanes lanes;
  private final int width;
  private final long[] pairs;
  private final int[] message;
  private final int[] cv;
  private final int[] last;

  LaneGroup(HashLanes lanes) {
    this.lanes = lanes;
    this.width = lanes.count();
    this.pairs = new long[8 * width];
    this.message = new int[16 * width];
    this.cv = new int[8 * width];
    this.last = new int[4 * width];
  }

  /// Writes the CVs of the chunks in the `length` bytes at `at`, of which only the last may be
  /// short.
  void chunks(byte[] bytes, int at, int length, long counter, byte[] cvs, int out) {
    int whole = length / CHUNK;
    int tail = length % CHUNK;
    begin();
    for (int row = 0; row < width; row++) {
      int lane = lanes.lane(row);
      last[lane] = (int) (counter + row);
      last[width + lane] = (int) ((counter + row) >>> 32);
    }
    if (tail == 0) {
      wholeChunks(bytes, at, whole);
      write(whole, cvs, out);
    } else {
      byte[] padded = new byte[CHUNK];
      System.arraycopy(bytes, at + whole * CHUNK, padded, 0, tail);
      chunksAndTail(bytes, at, whole, padded, tail, cvs, out + whole * 32);
      write(whole, cvs, out);
    }
  }

  /// Writes the CVs of the parents of the pairs at `at`.
  void parents(byte[] cvs, int at, int rows, int out) {
    begin();
    Arrays.fill(last, 0, 2 * width, 0);
    flags(PARENT);
    take(cvs, at, BLOCK, rows);
    mix();
    write(rows, cvs, out);
  }

  /// The next block is copied before the last one is mixed, so that its small writes are done with
  /// by the time they are read as vectors.
  private void wholeChunks(byte[] bytes, int at, int rows) {
    take(bytes, at, CHUNK, rows);
    for (int block = 0; block < BLOCKS; block++) {
      flags(block == 0 ? CHUNK_START : block == BLOCKS - 1 ? CHUNK_END : 0);
      lanes.split(pairs, message);
      if (block < BLOCKS - 1) {
        take(bytes, at + (block + 1) * BLOCK, CHUNK, rows);
      }
      lanes.compress(cv, message, last);
    }
  }

  /// As above with one row more, whose CV is written as soon as its last block is mixed; its lane
  /// then goes on with zeros, for nobody.
  private void chunksAndTail(
      byte[] bytes, int at, int rows, byte[] padded, int tail, byte[] cvs, int out) {
    int lane = lanes.lane(rows);
    int tailBlock = (tail - 1) / BLOCK;
    for (int block = 0; block < BLOCKS; block++) {
      flags(block == 0 ? CHUNK_START : block == BLOCKS - 1 ? CHUNK_END : 0);
      if (block == tailBlock) {
        last[2 * width + lane] = tail - tailBlock * BLOCK;
        last[3 * width + lane] |= CHUNK_END;
      }
      take(bytes, at + block * BLOCK, CHUNK, rows);
      lanes.take(padded, block * BLOCK, rows, pairs);
      mix();
      if (block == tailBlock) {
        writeRow(lane, cvs, out);
      }
    }
  }

  private void begin() {
    for (int word = 0; word < INITIAL.length; word++) {
      Arrays.fill(cv, word * width, (word + 1) * width, INITIAL[word]);
    }
    Arrays.fill(last, 2 * width, 3 * width, BLOCK);
  }

  private void flags(int flags) {
    Arrays.fill(last, 3 * width, 4 * width, flags);
  }

  private void take(byte[] bytes, int at, int stride, int rows) {
    for (int row = 0; row < rows; row++) {
      lanes.take(bytes, at + row * stride, row, pairs);
    }
  }

  private void mix() {
    lanes.split(pairs, message);
    lanes.compress(cv, message, last);
  }

  private void write(int rows, byte[] cvs, int out) {
    for (int row = 0; row < rows; row++) {
      writeRow(lanes.lane(row), cvs, out + row * 32);
    }
  }

  private void writeRow(int lane, byte[] cvs, int out) {
    for (int word = 0; word < 8; word++) {
      U32.set(cvs, out + 4 * word, cv[word * width + lane]);
    }
  }
}
