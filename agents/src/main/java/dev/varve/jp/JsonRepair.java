// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.jp.json.JsonError;
import dev.varve.jp.json.JsonReading;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Takes the usual slips of hand editing out of a JSON text: a byte-order mark, comments, a comma
/// behind the last value. Only ever removes; what cannot be repaired so is not guessed at.
final class JsonRepair {

  private static final int SLIPS_MAX = 10_000;

  private JsonRepair() {}

  /// @param bytes the repaired text; the same array if nothing was to be repaired
  /// @param removed what was taken out, with its place in the text before that
  /// @param left what is still wrong; null if it is JSON now
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Result(byte[] bytes, List<String> removed, @Nullable JsonError left) {}

  static Result of(byte[] text) {
    byte[] bytes = text;
    List<String> removed = new ArrayList<>();
    while (JsonReading.of(bytes) instanceof JsonError error) {
      int at = error.offset();
      int from = at;
      int to = at;
      String what = "";
      switch (error.kind()) {
        case BYTE_ORDER_MARK -> {
          to = 3;
          what = "a byte-order mark";
        }
        case COMMENT -> {
          to = endOfComment(bytes, at);
          what = "a comment";
        }
        case COMMA_AT_END -> {
          from = lastIndexOfComma(bytes, at);
          to = from + 1;
          what = "a comma";
        }
        case CUT_OFF, NOT_UTF8, TOO_LARGE, OTHER -> {}
      }
      if (to <= from || removed.size() == SLIPS_MAX) {
        return new Result(bytes, removed, error);
      }
      removed.add(error.position() + ": " + what);
      bytes = without(bytes, from, to);
    }
    return new Result(bytes, removed, null);
  }

  /// Behind the comment; a comment of one line keeps its line end.
  private static int endOfComment(byte[] bytes, int at) {
    boolean line = bytes[at + 1] == '/';
    for (int i = at + 2; i < bytes.length; i++) {
      if (line && (bytes[i] == '\n' || bytes[i] == '\r')) {
        return i;
      }
      if (!line && bytes[i] == '/' && bytes[i - 1] == '*' && i > at + 2) {
        return i + 1;
      }
    }
    return line ? bytes.length : at;
  }

  private static int lastIndexOfComma(byte[] bytes, int before) {
    int at = before - 1;
    while (bytes[at] != ',') {
      at--;
    }
    return at;
  }

  private static byte[] without(byte[] bytes, int from, int to) {
    ByteArrayOutputStream rest = new ByteArrayOutputStream(bytes.length);
    rest.write(bytes, 0, from);
    rest.write(bytes, to, bytes.length - to);
    return rest.toByteArray();
  }
}
