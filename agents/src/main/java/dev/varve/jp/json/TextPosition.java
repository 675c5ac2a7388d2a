// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.json;

/// A place in a text as editors count: lines and columns from 1, columns in characters (code
/// points).
///
/// A line ends with LF; a CR before it belongs to the line.
public record TextPosition(int line, int column) {

  public static TextPosition of(byte[] bytes, int offset) {
    return new TextPosition(1, 1).after(bytes, 0, offset);
  }

  /// The place of `to`, this being that of `from`.
  TextPosition after(byte[] bytes, int from, int to) {
    int newLine = line;
    int newColumn = column;
    for (int i = from; i < to; i++) {
      if (bytes[i] == '\n') {
        newLine++;
        newColumn = 1;
      } else if ((bytes[i] & 0xc0) != 0x80) { // what continues a character is none
        newColumn++;
      }
    }
    return new TextPosition(newLine, newColumn);
  }

  @Override
  public String toString() {
    return line + ":" + column;
  }
}
