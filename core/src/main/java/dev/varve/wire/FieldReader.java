// SPDX-License-Identifier: Apache-2.0
package dev.varve.wire;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Reads a message field by field. Takes no memory for what is not there.
///
/// Every method refuses a field that reaches behind the end with [StoreException.Invalid], which
/// names message and field.
public final class FieldReader {

  private final String message;
  private final byte[] bytes;
  private int at;

  /// @param message how the message is called in refusals
  public FieldReader(String message, byte[] payload) {
    this.message = message;
    this.bytes = payload;
  }

  /// The number of bytes that have not been read.
  public int remaining() {
    return bytes.length - at;
  }

  /// The bytes from `offset` on, without reading them.
  byte[] peek() {
    return bytes;
  }

  public StoreException.Invalid invalid(String why) {
    return new StoreException.Invalid(message, why);
  }

  private int take(String name, long sizeBytes) {
    if (sizeBytes > remaining()) {
      throw invalid(name + " is cut off: expected " + sizeBytes + " bytes, found " + remaining());
    }
    int start = at;
    at += (int) sizeBytes;
    return start;
  }

  public int u8(String name) {
    int start = take(name, 1);
    return Byte.toUnsignedInt(bytes[start]);
  }

  public int u16(String name) {
    int start = take(name, 2);
    return WireNumbers.u16(bytes, start);
  }

  public int u32(String name) {
    int start = take(name, 4);
    return WireNumbers.u32(bytes, start);
  }

  public long u64(String name) {
    int start = take(name, 8);
    return WireNumbers.u64(bytes, start);
  }

  /// A number that this side keeps in 63 bits.
  public long number(String name) {
    long value = u64(name);
    if (value < 0) {
      throw invalid(name + ": expected at most 2^63 - 1, found " + Long.toUnsignedString(value));
    }
    return value;
  }

  /// Reads the number of records that follow, of at least `recordBytes` each.
  public int count(String name, int recordBytes) {
    long count = Integer.toUnsignedLong(u32(name));
    if (count * recordBytes > remaining()) {
      throw invalid(name + ": " + count + " do not fit into " + remaining() + " bytes");
    }
    return (int) count;
  }

  public BlobHash hash(String name) {
    int start = take(name, BlobHash.SIZE_BYTES);
    return BlobHash.read(MemorySegment.ofArray(bytes), start);
  }

  /// A copy of the next `sizeBytes` bytes.
  public byte[] raw(String name, long sizeBytes) {
    int start = take(name, sizeBytes);
    return Arrays.copyOfRange(bytes, start, at);
  }

  /// A u32, then as many bytes.
  public byte[] bytes(String name) {
    return raw(name, Integer.toUnsignedLong(u32(name + "_len")));
  }

  /// A u32, then as many bytes.
  public Payload payload(String name) {
    return Payload.wrap(bytes(name));
  }

  /// A u32, then as many bytes of UTF-8.
  public String text(String name) {
    return utf8(name, Integer.toUnsignedLong(u32(name + "_len")));
  }

  /// The next `sizeBytes` bytes, which are UTF-8.
  public String utf8(String name, long sizeBytes) {
    int start = take(name, sizeBytes);
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, start, at - start))
          .toString();
    } catch (CharacterCodingException e) {
      throw invalid(name + ": expected UTF-8");
    }
  }

  /// Refuses what is left over.
  public void end() {
    if (remaining() > 0) {
      throw invalid(remaining() + " bytes behind the end");
    }
  }
}
