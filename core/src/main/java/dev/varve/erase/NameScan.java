// SPDX-License-Identifier: Apache-2.0
package dev.varve.erase;

import dev.varve.BlobHash;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Consumer;

/// Finds the names of blobs in content of any kind: as 32 bytes, and as 64 hex digits of either
/// case. So the content need not be understood to know what it refers to.
public final class NameScan {

  private static final int NAME_BYTES = BlobHash.SIZE_BYTES;
  private static final int HEX_DIGITS = 2 * NAME_BYTES;

  /// Size of the longest form of a name.
  public static final int BYTES_MAX = HEX_DIGITS;

  /// The value of each byte as a hex digit; -1 for the others.
  private static final byte[] DIGITS = digits();

  private NameScan() {}

  private static byte[] digits() {
    byte[] digits = new byte[256];
    Arrays.fill(digits, (byte) -1);
    for (int i = 0; i < 16; i++) {
      digits[Character.forDigit(i, 16)] = (byte) i;
      digits[Character.toUpperCase(Character.forDigit(i, 16))] = (byte) i;
    }
    return digits;
  }

  /// Hands over each name in `content` that may be one of `wanted`; others may be among them.
  public static void scan(byte[] content, NameSet wanted, Consumer<BlobHash> found) {
    scanBytes(content, wanted, found);
    scanDigits(content, wanted, found);
  }

  private static void scanBytes(byte[] content, NameSet wanted, Consumer<BlobHash> found) {
    int starts = content.length - NAME_BYTES + 1;
    if (starts <= 0) {
      return;
    }
    long next = 0; // the eight bytes from `at` on, little-endian
    for (int i = 0; i < Long.BYTES - 1; i++) {
      next = next >>> 8 | (long) content[i] << 56;
    }
    for (int at = 0; at < starts; at++) {
      next = next >>> 8 | (long) content[at + Long.BYTES - 1] << 56;
      if (wanted.mayHave(next)) {
        found.accept(BlobHash.read(MemorySegment.ofArray(content), at));
      }
    }
  }

  /// A run of digits that is as long as a name has a digit at one of the probed places.
  private static void scanDigits(byte[] content, NameSet wanted, Consumer<BlobHash> found) {
    int at = HEX_DIGITS - 1;
    while (at < content.length) {
      if (isDigit(content[at])) {
        int start = at;
        while (start > 0 && isDigit(content[start - 1])) {
          start--;
        }
        int end = at + 1;
        while (end < content.length && isDigit(content[end])) {
          end++;
        }
        scanRun(content, start, end, wanted, found);
        at = end + HEX_DIGITS;
      } else {
        at += HEX_DIGITS;
      }
    }
  }

  private static void scanRun(
      byte[] content, int from, int end, NameSet wanted, Consumer<BlobHash> found) {
    long digits = 0; // the sixteen digits from `start` on
    for (int start = from - 15; start + HEX_DIGITS <= end; start++) {
      digits = digits << 4 | DIGITS[content[start + 15]];
      if (start >= from && wanted.mayHave(Long.reverseBytes(digits))) {
        found.accept(ofHex(content, start));
      }
    }
  }

  private static boolean isDigit(byte value) {
    return DIGITS[value & 0xff] >= 0;
  }

  private static BlobHash ofHex(byte[] content, int start) {
    byte[] name = new byte[NAME_BYTES];
    for (int i = 0; i < name.length; i++) {
      int at = start + 2 * i;
      name[i] = (byte) (DIGITS[content[at]] << 4 | DIGITS[content[at + 1]]);
    }
    return BlobHash.of(name);
  }
}
