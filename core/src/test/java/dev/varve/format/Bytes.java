// SPDX-License-Identifier: Apache-2.0
package dev.varve.format;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/// Bytes as people and tests look at them.
public final class Bytes {

  private static final int LINE_BYTES = 16;

  private Bytes() {}

  /// What each field of a layout holds: a number as `Long` (unsigned up to 32 bits), bytes as hex
  /// digits. Read through the layout alone, so that offsets written by hand elsewhere are found
  /// out.
  public static Map<String, Object> fields(StructLayout layout, MemorySegment bytes) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (MemoryLayout member : layout.memberLayouts()) {
      String name = member.name().orElseThrow();
      long at = layout.byteOffset(MemoryLayout.PathElement.groupElement(name));
      fields.put(
          name,
          switch (member) {
            case ValueLayout.OfShort u16 -> (long) Short.toUnsignedInt(bytes.get(u16, at));
            case ValueLayout.OfInt u32 -> Integer.toUnsignedLong(bytes.get(u32, at));
            case ValueLayout.OfLong u64 -> bytes.get(u64, at);
            default -> hex(bytes.asSlice(at, member.byteSize()).toArray(ValueLayout.JAVA_BYTE));
          });
    }
    return fields;
  }

  public static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /// A given number of zeros, as hex digits.
  public static String zeros(int count) {
    return "00".repeat(count);
  }

  /// What `hexdump -C` prints. Lines that repeat the one before are left out and marked by a star.
  public static String dump(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    byte[] last = {};
    boolean starred = false;
    for (int at = 0; at < bytes.length; at += LINE_BYTES) {
      byte[] line = Arrays.copyOfRange(bytes, at, Math.min(at + LINE_BYTES, bytes.length));
      boolean repeats = Arrays.equals(line, last);
      if (!repeats) {
        text.append(line(at, line));
      } else if (!starred) {
        text.append("*\n");
      }
      starred = repeats;
      last = line;
    }
    return text.append(String.format("%08x\n", bytes.length)).toString();
  }

  private static String line(int at, byte[] bytes) {
    StringBuilder hex = new StringBuilder();
    StringBuilder ascii = new StringBuilder();
    for (int i = 0; i < bytes.length; i++) {
      hex.append(i == 8 ? "  " : " ").append(HexFormat.of().toHexDigits(bytes[i]));
      ascii.append(bytes[i] >= ' ' && bytes[i] <= '~' ? (char) bytes[i] : '.');
    }
    return String.format("%08x %-49s  |%s|\n", at, hex, ascii);
  }

  /// Hands `each` the bytes with one changed, for every byte and three changes of it: its lowest
  /// bit, its highest, all.
  public static void eachDamaged(byte[] bytes, Consumer<byte[]> each) {
    for (int i = 0; i < bytes.length; i++) {
      for (int change : new int[] {1, 0x80, 0xff}) {
        byte[] damaged = bytes.clone();
        damaged[i] ^= (byte) change;
        each.accept(damaged);
      }
    }
  }
}
