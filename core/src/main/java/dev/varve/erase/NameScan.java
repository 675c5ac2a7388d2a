// SPDX-License-Identifier: Apache-2.0
package dev.varve.erase;

import dev.varve.BlobHash;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.Consumer;

/// Finds the names of blobs in content of any kind: as 32 bytes, and as 64 hex digits of either
/// case. So the content need not be understood to know what it refers to.
public final class NameScan {

  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int HEX_DIGITS = 2 * BlobHash.SIZE_BYTES;

  private NameScan() {}

  /// Hands over each name in `content` that may be one of `wanted`; others may be among them.
  public static void scan(byte[] content, NameSet wanted, Consumer<BlobHash> found) {
    MemorySegment bytes = MemorySegment.ofArray(content);
    long digits = 0;
    int run = 0;
    for (int at = 0; at < content.length; at++) {
      if (at + BlobHash.SIZE_BYTES <= content.length && wanted.mayHave(bytes.get(U64, at))) {
        found.accept(BlobHash.read(bytes, at));
      }
      int digit = Character.digit(content[at], 16);
      run = digit < 0 ? 0 : run + 1;
      digits = (digits << 4) | (digit & 0xf);
      int start = at - 15;
      if (run >= 16
          && start + HEX_DIGITS <= content.length
          && wanted.mayHave(Long.reverseBytes(digits))
          && isHex(content, at + 1, start + HEX_DIGITS)) {
        found.accept(ofHex(content, start));
      }
    }
  }

  private static boolean isHex(byte[] content, int from, int end) {
    for (int at = from; at < end; at++) {
      if (Character.digit(content[at], 16) < 0) {
        return false;
      }
    }
    return true;
  }

  private static BlobHash ofHex(byte[] content, int start) {
    byte[] name = new byte[BlobHash.SIZE_BYTES];
    for (int i = 0; i < name.length; i++) {
      int at = start + 2 * i;
      name[i] =
          (byte) ((Character.digit(content[at], 16) << 4) | Character.digit(content[at + 1], 16));
    }
    return BlobHash.of(name);
  }
}
