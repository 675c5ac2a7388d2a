// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.zip.CRC32;

/// The form of numbers in every file of a store: little-endian, at any alignment, checked by
/// CRC-32.
public final class LittleEndian {

  public static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  public static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  public static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private LittleEndian() {}

  /// A field of `count` bytes.
  public static MemoryLayout bytes(int count, String name) {
    return MemoryLayout.sequenceLayout(count, ValueLayout.JAVA_BYTE).withName(name);
  }

  /// The CRC-32 (IEEE, as in zlib) of `sizeBytes` bytes from `offset` on.
  public static int crc32(MemorySegment bytes, long offset, long sizeBytes) {
    CRC32 crc = new CRC32();
    if (bytes.heapBase().orElse(null) instanceof byte[] array) {
      crc.update(array, Math.toIntExact(bytes.address() + offset), Math.toIntExact(sizeBytes));
    } else {
      crc.update(bytes.asSlice(offset, sizeBytes).asByteBuffer());
    }
    return (int) crc.getValue();
  }

  /// The form of a CRC-32 in messages.
  public static String hex(int crc) {
    return "crc32 " + String.format("%08x", crc);
  }
}
