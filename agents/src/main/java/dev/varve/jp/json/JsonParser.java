// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.json;

import java.util.Arrays;

/// One strict pass over bytes. Keeps no stack of its own calls, so depth costs nothing but a
/// number.
final class JsonParser {

  /// Four million values are some hundred megabytes of conversation, and of memory.
  static final int VALUES_MAX = 1 << 22;

  static final int DEPTH_MAX = 512;

  private static final JsonKind[] KINDS = JsonKind.values();

  private final byte[] bytes;
  private final Utf8Bytes utf8;
  private final Tape tape = new Tape();
  private final int[] open = new int[DEPTH_MAX];
  private int depth;
  private int at;
  private int keyFrom = -1;
  private int keyTo = -1;

  private JsonParser(byte[] bytes) {
    this.bytes = bytes;
    this.utf8 = new Utf8Bytes(bytes);
  }

  static JsonReading parse(byte[] bytes) {
    try {
      return new JsonParser(bytes).text();
    } catch (Stop stop) {
      return new JsonError(
          stop.offset, TextPosition.of(bytes, stop.offset), stop.what, kind(bytes, stop));
    }
  }

  private static JsonError.Kind kind(byte[] bytes, Stop stop) {
    if (stop.kind != JsonError.Kind.OTHER) {
      return stop.kind;
    }
    int at = stop.offset;
    if (at >= bytes.length) {
      return JsonError.Kind.CUT_OFF;
    }
    return bytes[at] == '/' && isComment(bytes, at) ? JsonError.Kind.COMMENT : stop.kind;
  }

  private static boolean isComment(byte[] bytes, int at) {
    return at + 1 < bytes.length && (bytes[at + 1] == '/' || bytes[at + 1] == '*');
  }

  /// Ends the pass. Not an error of the program, so it takes no stack trace.
  private static final class Stop extends Exception {
    private static final long serialVersionUID = 1;
    private final int offset;
    private final String what;
    private final JsonError.Kind kind;

    Stop(int offset, String what) {
      this(offset, what, JsonError.Kind.OTHER);
    }

    Stop(int offset, String what, JsonError.Kind kind) {
      super(what, null, false, false);
      this.offset = offset;
      this.what = what;
      this.kind = kind;
    }
  }

  private JsonText text() throws Stop {
    if (bytes.length >= 3
        && bytes[0] == (byte) 0xef
        && bytes[1] == (byte) 0xbb
        && bytes[2] == (byte) 0xbf) {
      throw new Stop(0, "expected JSON, found a byte-order mark", JsonError.Kind.BYTE_ORDER_MARK);
    }
    value();
    while (depth > 0) {
      step();
    }
    skipSpace();
    if (at < bytes.length) {
      throw new Stop(at, "expected the end of the file, found " + found());
    }
    return new JsonText(bytes, tape);
  }

  /// Reads the part that follows a value inside the innermost open object or array.
  private void step() throws Stop {
    int container = open[depth - 1];
    boolean object = tape.kind(container) == JsonKind.OBJECT;
    int close = object ? '}' : ']';
    boolean empty = tape.size() == container + 1;
    skipSpace();
    if (peek() == close) {
      at++;
      tape.close(container, at);
      depth--;
      return;
    }
    if (!empty) {
      if (peek() != ',') {
        throw new Stop(at, "expected ',' or '" + (char) close + "', found " + found());
      }
      at++;
      skipSpace();
      if (peek() == close) {
        throw new Stop(
            at,
            "expected another value, found a comma before '" + (char) close + "'",
            JsonError.Kind.COMMA_AT_END);
      }
    }
    if (object) {
      key();
    }
    value();
  }

  private void key() throws Stop {
    skipSpace();
    if (peek() != '"') {
      throw new Stop(at, "expected a name in double quotes, found " + found());
    }
    int from = at;
    string();
    int to = at;
    skipSpace();
    if (peek() != ':') {
      throw new Stop(at, "expected ':', found " + found());
    }
    at++;
    keyFrom = from;
    keyTo = to;
  }

  private void value() throws Stop {
    skipSpace();
    int from = at;
    int first = peek();
    JsonKind kind =
        switch (first) {
          case '{' -> JsonKind.OBJECT;
          case '[' -> JsonKind.ARRAY;
          case '"' -> JsonKind.STRING;
          case 't' -> JsonKind.TRUE;
          case 'f' -> JsonKind.FALSE;
          case 'n' -> JsonKind.NULL;
          default -> {
            if (first == '-' || isDigit(first)) {
              yield JsonKind.NUMBER;
            }
            throw new Stop(at, "expected a value, found " + found());
          }
        };
    if (tape.size() == VALUES_MAX) {
      throw new Stop(
          at, "expected at most " + VALUES_MAX + " values, found more", JsonError.Kind.TOO_LARGE);
    }
    int parent = depth == 0 ? -1 : open[depth - 1];
    int node = tape.add(kind, from, parent, keyFrom, keyTo);
    keyFrom = -1;
    keyTo = -1;
    switch (kind) {
      case OBJECT, ARRAY -> {
        if (depth == DEPTH_MAX) {
          throw new Stop(
              at,
              "expected at most " + DEPTH_MAX + " levels, found more",
              JsonError.Kind.TOO_LARGE);
        }
        open[depth++] = node;
        at++;
        return;
      }
      case STRING -> string();
      case NUMBER -> number();
      case TRUE -> literal("true");
      case FALSE -> literal("false");
      case NULL -> literal("null");
    }
    tape.close(node, at);
  }

  private void string() throws Stop {
    at++;
    while (true) {
      int c = peek();
      if (c == '"') {
        at++;
        return;
      }
      if (c < 0) {
        throw new Stop(at, "expected the end of a string, found the end of the file");
      }
      if (c == '\\') {
        escape();
      } else if (c < ' ') {
        throw new Stop(at, "expected an escape, found a control character in a string");
      } else if (c < 0x80) {
        at++;
      } else {
        int length = utf8.lengthAt(at);
        if (length == 0) {
          throw new Stop(
              at,
              "expected UTF-8, found byte 0x" + Integer.toHexString(c),
              JsonError.Kind.NOT_UTF8);
        }
        at += length;
      }
    }
  }

  private void escape() throws Stop {
    at++;
    int c = peek();
    if (c == 'u') {
      for (int i = 1; i <= 4; i++) {
        int digit = at + i < bytes.length ? Character.digit(bytes[at + i], 16) : -1;
        if (digit < 0) {
          throw new Stop(
              Math.min(at + i, bytes.length), "expected four hexadecimal digits after '\\u'");
        }
      }
      at += 5;
      return;
    }
    if (c < 0 || "\"\\/bfnrt".indexOf(c) < 0) {
      throw new Stop(at, "expected an escape, found " + found() + " after '\\'");
    }
    at++;
  }

  private void number() throws Stop {
    if (peek() == '-') {
      at++;
    }
    if (peek() == '0') {
      at++;
      if (isDigit(peek())) {
        throw new Stop(at, "expected a number without a zero in front");
      }
    } else {
      digits();
    }
    if (peek() == '.') {
      at++;
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      at++;
      if (peek() == '+' || peek() == '-') {
        at++;
      }
      digits();
    }
  }

  private void digits() throws Stop {
    if (!isDigit(peek())) {
      throw new Stop(at, "expected a digit, found " + found());
    }
    while (isDigit(peek())) {
      at++;
    }
  }

  private void literal(String word) throws Stop {
    for (int i = 0; i < word.length(); i++) {
      if (peek() != word.charAt(i)) {
        throw new Stop(at, "expected '" + word + "', found " + found());
      }
      at++;
    }
  }

  private void skipSpace() {
    while (at < bytes.length
        && (bytes[at] == ' ' || bytes[at] == '\n' || bytes[at] == '\r' || bytes[at] == '\t')) {
      at++;
    }
  }

  /// The byte here, unsigned; -1 at the end.
  private int peek() {
    return at < bytes.length ? bytes[at] & 0xff : -1;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private String found() {
    int c = peek();
    if (c < 0) {
      return "the end of the file";
    }
    if (c == '/' && isComment(bytes, at)) {
      return "a comment";
    }
    return c > ' ' && c < 0x7f ? "'" + (char) c + "'" : "byte 0x" + Integer.toHexString(c);
  }

  /// The values in the order in which they begin, each with its place, in parallel arrays: an
  /// object a value would take five times the memory.
  static final class Tape {

    private byte[] kinds = new byte[256];
    private int[] numbers = new int[256 * STRIDE];
    private int size;

    private static final int STRIDE = 6;
    private static final int FROM = 0;
    private static final int TO = 1;
    private static final int AFTER = 2;
    private static final int PARENT = 3;
    private static final int KEY_FROM = 4;
    private static final int KEY_TO = 5;

    @SuppressWarnings("EnumOrdinal") // in memory only, and a byte a value
    private int add(JsonKind kind, int from, int parent, int keyFrom, int keyTo) {
      if (size == kinds.length) {
        kinds = Arrays.copyOf(kinds, size * 2);
        numbers = Arrays.copyOf(numbers, size * 2 * STRIDE);
      }
      int base = size * STRIDE;
      kinds[size] = (byte) kind.ordinal();
      numbers[base + FROM] = from;
      numbers[base + PARENT] = parent;
      numbers[base + KEY_FROM] = keyFrom;
      numbers[base + KEY_TO] = keyTo;
      return size++;
    }

    private void close(int node, int to) {
      numbers[node * STRIDE + TO] = to;
      numbers[node * STRIDE + AFTER] = size;
    }

    int size() {
      return size;
    }

    JsonKind kind(int node) {
      return KINDS[kinds[node]];
    }

    int from(int node) {
      return numbers[node * STRIDE + FROM];
    }

    int to(int node) {
      return numbers[node * STRIDE + TO];
    }

    /// The first value behind all that is inside `node`.
    int after(int node) {
      return numbers[node * STRIDE + AFTER];
    }

    int parent(int node) {
      return numbers[node * STRIDE + PARENT];
    }

    int keyFrom(int node) {
      return numbers[node * STRIDE + KEY_FROM];
    }

    int keyTo(int node) {
      return numbers[node * STRIDE + KEY_TO];
    }
  }
}
