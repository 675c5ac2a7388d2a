// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.jp.json.JsonKind;
import dev.varve.jp.json.JsonText;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/// The characters of a JSON string as UTF-8, escapes resolved, read piece by piece: a string of
/// hundreds of megabytes takes no memory beside the file that it stands in.
///
/// Half of a surrogate pair has no UTF-8; the replacement character U+FFFD stands for it, and
/// [#hasLoneSurrogate] reports it.
final class PayloadInput extends InputStream {

  private final byte[] bytes;
  private final int end;
  private int at;
  private byte[] pending = {};
  private int pendingAt;
  private boolean loneSurrogate;

  /// Reads a string of `text`.
  PayloadInput(JsonText text, int value) {
    if (!text.is(value, JsonKind.STRING)) {
      throw new IllegalArgumentException("value " + value + " is " + text.kind(value).words());
    }
    bytes = text.bytes();
    at = text.from(value) + 1;
    end = text.to(value) - 1;
  }

  /// The size of a string in UTF-8, or -1 if it has half of a surrogate pair.
  static long sizeBytes(JsonText text, int value) {
    PayloadInput in = new PayloadInput(text, value);
    byte[] piece = new byte[Math.clamp(in.end - in.at, 1, 8192)];
    long sizeBytes = 0;
    for (int size = in.read(piece, 0, piece.length);
        size > 0;
        size = in.read(piece, 0, piece.length)) {
      sizeBytes += size;
    }
    return in.loneSurrogate ? -1 : sizeBytes;
  }

  /// Returns whether what was read so far has half of a surrogate pair.
  boolean hasLoneSurrogate() {
    return loneSurrogate;
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int from, int count) {
    int done = 0;
    while (done < count) {
      if (pendingAt < pending.length) {
        into[from + done++] = pending[pendingAt++];
      } else if (at == end) {
        break;
      } else if (bytes[at] == '\\') {
        escape();
      } else {
        int run = plain(count - done);
        System.arraycopy(bytes, at, into, from + done, run);
        at += run;
        done += run;
      }
    }
    return done == 0 && count > 0 ? -1 : done;
  }

  /// Counts the bytes from here on that are no escape, at most `count`.
  private int plain(int count) {
    int last = Math.min(end, at + count);
    int run = at;
    while (run < last && bytes[run] != '\\') {
      run++;
    }
    return run - at;
  }

  private void escape() {
    int letter = bytes[at + 1];
    if (letter == 'u') {
      int point = unit(at + 2);
      at += 6;
      if (Character.isHighSurrogate((char) point) && isEscapedUnit(at)) {
        int low = unit(at + 2);
        if (Character.isLowSurrogate((char) low)) {
          point = Character.toCodePoint((char) point, (char) low);
          at += 6;
        }
      }
      if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
        loneSurrogate = true;
        point = 0xfffd;
      }
      pending = Character.toString(point).getBytes(StandardCharsets.UTF_8);
    } else {
      at += 2;
      pending = new byte[] {unescaped(letter)};
    }
    pendingAt = 0;
  }

  private boolean isEscapedUnit(int offset) {
    return offset + 6 <= end && bytes[offset] == '\\' && bytes[offset + 1] == 'u';
  }

  private int unit(int offset) {
    int unit = 0;
    for (int i = 0; i < 4; i++) {
      unit = unit << 4 | Character.digit(bytes[offset + i], 16);
    }
    return unit;
  }

  private static byte unescaped(int letter) {
    return switch (letter) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> (byte) letter;
    };
  }
}
