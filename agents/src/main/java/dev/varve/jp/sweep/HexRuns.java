// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.sweep;

import dev.varve.jp.blobs.Sha256;
import java.util.Locale;
import java.util.function.Consumer;

/// Finds everything in bytes that could be a SHA-256: runs of exactly 64 hexadecimal digits, in
/// either case, also where JSON escapes a digit. This is how references are found in a text that is
/// no JSON any more.
final class HexRuns {

  private static final int DIGITS = 64;
  private static final int ESCAPE_LENGTH = 6;

  private final Consumer<? super Sha256> each;
  private final StringBuilder run = new StringBuilder(DIGITS + 1);
  private final byte[] escape = new byte[ESCAPE_LENGTH];
  private int escaped;

  HexRuns(Consumer<? super Sha256> each) {
    this.each = each;
  }

  static void in(byte[] bytes, int from, int to, Consumer<? super Sha256> each) {
    HexRuns runs = new HexRuns(each);
    runs.take(bytes, from, to);
    runs.end();
  }

  /// Takes the next bytes; a run may go on from one call to the next.
  void take(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      take(bytes[i]);
    }
  }

  private void take(byte b) {
    if (escaped > 0) {
      escape[escaped++] = b;
      if (escaped == 2 && b != 'u') {
        escaped = 0;
        flush();
      } else if (escaped == ESCAPE_LENGTH) {
        escaped = 0;
        character(unescaped());
      }
    } else if (b == '\\') {
      escape[escaped++] = b;
    } else {
      character(b);
    }
  }

  private int unescaped() {
    int unit = 0;
    for (int i = 2; i < ESCAPE_LENGTH; i++) {
      int digit = Character.digit(escape[i], 16);
      if (digit < 0) {
        return -1;
      }
      unit = unit << 4 | digit;
    }
    return unit;
  }

  private void character(int c) {
    boolean digit = c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F';
    if (!digit) {
      flush();
    } else if (run.length() <= DIGITS) {
      run.append((char) c);
    }
  }

  private void flush() {
    if (run.length() == DIGITS) {
      each.accept(Sha256.parse(run.toString().toLowerCase(Locale.ROOT)));
    }
    run.setLength(0);
  }

  /// Says that there are no more bytes.
  void end() {
    escaped = 0;
    flush();
  }
}
