// SPDX-License-Identifier: Apache-2.0
package dev.varve.hash;

import dev.varve.StoreException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;

/// The bytes of a saved state (docs/format/blake3-state.md).
///
/// The length of the input alone fixes every count in a state. They are written all the same and
/// each is checked against it, so that a state that was put together wrongly is refused and not
/// resumed.
final class StateCodec {

  static final int MAGIC = 0x5333_4256; // "VB3S", little-endian
  static final int VERSION = 1;

  static final int MAGIC_AT = 0;
  static final int VERSION_AT = 4;
  static final int DEPTH_AT = 6;
  static final int LENGTH_AT = 8;
  static final int CHUNKS_AT = 16;
  static final int BLOCKS_AT = 24;
  static final int BUFFERED_AT = 26;
  static final int CV_AT = 28;
  static final int BUFFER_AT = 60;
  static final int CRC_SIZE = 4;

  static final int SMALLEST = BUFFER_AT + CRC_SIZE;
  static final int LARGEST =
      SMALLEST + CompressionFunction.BLOCK + CvStack.MAX * CompressionFunction.CV;

  private static final VarHandle U16 = view(short[].class);
  private static final VarHandle U32 = view(int[].class);
  private static final VarHandle U64 = view(long[].class);

  private StateCodec() {}

  static byte[] write(CvStack stack, OpenChunk chunk) {
    int stackAt = BUFFER_AT + chunk.buffered;
    int crcAt = stackAt + stack.depth() * CompressionFunction.CV;
    byte[] state = new byte[crcAt + CRC_SIZE];
    U32.set(state, MAGIC_AT, MAGIC);
    U16.set(state, VERSION_AT, (short) VERSION);
    U16.set(state, DEPTH_AT, (short) stack.depth());
    U64.set(state, LENGTH_AT, stack.chunks() * WholeChunk.SIZE + chunk.length());
    U64.set(state, CHUNKS_AT, stack.chunks());
    U16.set(state, BLOCKS_AT, (short) chunk.blocks);
    U16.set(state, BUFFERED_AT, (short) chunk.buffered);
    System.arraycopy(chunk.cv, 0, state, CV_AT, CompressionFunction.CV);
    System.arraycopy(chunk.buffer, 0, state, BUFFER_AT, chunk.buffered);
    stack.write(state, stackAt);
    U32.set(state, crcAt, crc(state, crcAt));
    return state;
  }

  static Blake3 read(byte[] state) {
    if (state.length < SMALLEST || state.length > LARGEST) {
      throw refused(SMALLEST + " to " + LARGEST + " bytes", Integer.toString(state.length));
    }
    int magic = (int) U32.get(state, MAGIC_AT);
    require("magic", MAGIC, magic);
    int crcAt = state.length - CRC_SIZE;
    require("checksum", crc(state, crcAt), (int) U32.get(state, crcAt));
    int version = u16(state, VERSION_AT);
    if (version > VERSION) {
      throw new StoreException.FormatTooNew("blake3 state", version, VERSION);
    }
    require("version", VERSION, version);
    long length = (long) U64.get(state, LENGTH_AT);
    if (length < 0) {
      throw refused("a length up to 2^63 - 1", Long.toUnsignedString(length));
    }
    long chunks = WholeChunk.count(length) - 1;
    int inChunk = (int) (length - chunks * WholeChunk.SIZE);
    int blocks = Math.max(0, inChunk - 1) / CompressionFunction.BLOCK;
    int buffered = inChunk - blocks * CompressionFunction.BLOCK;
    require("whole chunks", chunks, (long) U64.get(state, CHUNKS_AT));
    require("subtrees", Long.bitCount(chunks), u16(state, DEPTH_AT));
    require("blocks", blocks, u16(state, BLOCKS_AT));
    require("buffered bytes", buffered, u16(state, BUFFERED_AT));
    int stackAt = BUFFER_AT + buffered;
    byte[] cvs = new byte[Long.bitCount(chunks) * CompressionFunction.CV];
    require("size", stackAt + cvs.length + CRC_SIZE, state.length);
    OpenChunk chunk = new OpenChunk();
    if (blocks == 0 && !sameCv(chunk.cv, state)) {
      throw refused("the initial value before the first block", "another");
    }
    chunk.counter = chunks;
    chunk.blocks = blocks;
    chunk.buffered = buffered;
    System.arraycopy(state, CV_AT, chunk.cv, 0, CompressionFunction.CV);
    System.arraycopy(state, BUFFER_AT, chunk.buffer, 0, buffered);
    System.arraycopy(state, stackAt, cvs, 0, cvs.length);
    return new Blake3(new CvStack(cvs, chunks), chunk);
  }

  private static boolean sameCv(byte[] cv, byte[] state) {
    return Arrays.equals(
        cv, 0, CompressionFunction.CV, state, CV_AT, CV_AT + CompressionFunction.CV);
  }

  private static void require(String what, long expected, long found) {
    if (expected != found) {
      throw refused(what + " " + expected, Long.toString(found));
    }
  }

  private static StoreException.Invalid refused(String expected, String found) {
    return new StoreException.Invalid("blake3 state", "expected " + expected + ", found " + found);
  }

  private static int u16(byte[] state, int at) {
    return Short.toUnsignedInt((short) U16.get(state, at));
  }

  private static int crc(byte[] state, int length) {
    CRC32 crc = new CRC32();
    crc.update(state, 0, length);
    return (int) crc.getValue();
  }

  private static VarHandle view(Class<?> words) {
    return MethodHandles.byteArrayViewVarHandle(words, ByteOrder.LITTLE_ENDIAN);
  }
}
