// SPDX-License-Identifier: Apache-2.0
package dev.varve.tree;

import dev.varve.StoreException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/// Reads the parts of msgpack that trees are written in, and passes over all others.
///
/// Lengths are compared with what is left before anything is made of them.
final class TreeCursor {

  /// The greatest depth of a value that is skipped.
  private static final int DEPTH_MAX = 32;

  private final ByteBuffer bytes;

  TreeCursor(byte[] bytes) {
    this.bytes = ByteBuffer.wrap(bytes);
  }

  /// The number of values in an array; nil counts as an empty array.
  int arrayOrNil() {
    int format = next();
    return switch (format) {
      case 0xc0 -> 0;
      case 0xdc -> counted(u16(), 1);
      case 0xdd -> counted(u32(), 1);
      default -> {
        if ((format & 0xf0) != 0x90) {
          throw unexpected("an array", format);
        }
        yield counted(format & 0xf, 1);
      }
    };
  }

  /// The number of members in a map.
  int map() {
    int format = next();
    return switch (format) {
      case 0xde -> counted(u16(), 2);
      case 0xdf -> counted(u32(), 2);
      default -> {
        if ((format & 0xf0) != 0x80) {
          throw unexpected("a map", format);
        }
        yield counted(format & 0xf, 2);
      }
    };
  }

  /// A key: a number from 0 to 9, or a digit that is one; -1 for any other.
  int key() {
    int format = peek();
    if (isNumber(format)) {
      long number = number();
      return number >= 0 && number <= 9 ? (int) number : -1;
    }
    if (isText(format)) {
      byte[] text = text();
      return text.length == 1 && text[0] >= '0' && text[0] <= '9' ? text[0] - '0' : -1;
    }
    skip();
    return -1;
  }

  /// A whole number; one above the greatest `long` comes out negative, as do negative ones.
  long number() {
    int format = next();
    try {
      return switch (format) {
        case 0xcc -> Byte.toUnsignedLong(bytes.get());
        case 0xcd -> u16();
        case 0xce -> u32();
        case 0xcf, 0xd3 -> bytes.getLong();
        case 0xd0 -> bytes.get();
        case 0xd1 -> bytes.getShort();
        case 0xd2 -> bytes.getInt();
        default -> {
          if (!isNumber(format)) {
            throw unexpected("a number", format);
          }
          yield (byte) format;
        }
      };
    } catch (BufferUnderflowException e) {
      throw cutShort();
    }
  }

  /// The bytes of a text.
  byte[] text() {
    int format = next();
    return switch (format) {
      case 0xd9 -> take(u8());
      case 0xda -> take(u16());
      case 0xdb -> take(u32());
      default -> {
        if (!isText(format)) {
          throw unexpected("text", format);
        }
        yield take(format & 0x1f);
      }
    };
  }

  byte[] bytes() {
    int format = next();
    return switch (format) {
      case 0xc4 -> take(u8());
      case 0xc5 -> take(u16());
      case 0xc6 -> take(u32());
      default -> throw unexpected("bytes", format);
    };
  }

  /// Passes over one value of any kind.
  void skip() {
    skip(DEPTH_MAX);
  }

  private void skip(int depth) {
    int format = peek();
    if (isNumber(format)) {
      number();
    } else if (isText(format)) {
      text();
    } else if (format == 0xdc || format == 0xdd || (format & 0xf0) == 0x90) {
      skip(arrayOrNil(), depth);
    } else if (format == 0xde || format == 0xdf || (format & 0xf0) == 0x80) {
      skip(2 * map(), depth);
    } else {
      next();
      switch (format) {
        case 0xc0, 0xc2, 0xc3 -> {}
        case 0xc4 -> take(u8());
        case 0xc5 -> take(u16());
        case 0xc6 -> take(u32());
        case 0xc7 -> take(u8() + 1);
        case 0xc8 -> take(u16() + 1);
        case 0xc9 -> take(u32() + 1);
        case 0xca -> take(4);
        case 0xcb -> take(8);
        case 0xd4, 0xd5, 0xd6, 0xd7, 0xd8 -> take(1 + (1L << (format - 0xd4)));
        default -> throw unexpected("a value", format);
      }
    }
  }

  private void skip(int values, int depth) {
    if (depth == 0) {
      throw new StoreException.Invalid("tree", "nested deeper than " + DEPTH_MAX + " levels");
    }
    for (int i = 0; i < values; i++) {
      skip(depth - 1);
    }
  }

  // ---- bytes

  private static boolean isNumber(int format) {
    return format < 0x80 || format >= 0xe0 || (format >= 0xcc && format <= 0xd3);
  }

  private static boolean isText(int format) {
    return (format & 0xe0) == 0xa0 || (format >= 0xd9 && format <= 0xdb);
  }

  private int peek() {
    if (!bytes.hasRemaining()) {
      throw cutShort();
    }
    return Byte.toUnsignedInt(bytes.get(bytes.position()));
  }

  private int next() {
    int format = peek();
    bytes.get();
    return format;
  }

  private long u8() {
    return next();
  }

  private long u16() {
    return bytes.remaining() < 2 ? missing() : Short.toUnsignedLong(bytes.getShort());
  }

  private long u32() {
    return bytes.remaining() < 4 ? missing() : Integer.toUnsignedLong(bytes.getInt());
  }

  private long missing() {
    throw cutShort();
  }

  /// Each value takes a byte at least.
  private int counted(long count, int valuesEach) {
    if (count * valuesEach > bytes.remaining()) {
      throw cutShort();
    }
    return (int) count;
  }

  private byte[] take(long length) {
    if (length > bytes.remaining()) {
      throw cutShort();
    }
    byte[] taken = new byte[(int) length];
    bytes.get(taken);
    return taken;
  }

  private StoreException.Invalid cutShort() {
    return new StoreException.Invalid("tree", "cut short at byte " + bytes.position());
  }

  private StoreException.Invalid unexpected(String expected, int found) {
    return new StoreException.Invalid(
        "tree at byte " + (bytes.position() - 1),
        "expected " + expected + ", found " + String.format("%02x", found));
  }
}
