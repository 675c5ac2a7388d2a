// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

/// A check of a line that is too long to be held: its quotes and brackets must close at its end.
///
/// A line that was cut off or has zeros in it fails the check. The check takes no memory, whatever
/// the length of the line.
final class LongLineCheck {

  private boolean inString;
  private boolean escaped;
  private long depth;
  private boolean closed;
  private boolean sound = true;

  /// Takes the next bytes of the line.
  void add(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (inString) {
        string(bytes[i]);
      } else {
        structure(bytes[i]);
      }
    }
  }

  private void string(byte b) {
    if (b >= 0 && b < ' ') {
      sound = false; // control characters are escaped in JSON
    }
    if (escaped) {
      escaped = false;
    } else if (b == '\\') {
      escaped = true;
    } else if (b == '"') {
      inString = false;
    }
  }

  private void structure(byte b) {
    if (b == ' ' || b == '\t' || b == '\r') {
      return;
    }
    if (closed || b == 0) {
      sound = false; // more follows the object, or the bytes never reached the disk
    }
    switch (b) {
      case '"' -> inString = true;
      case '{', '[' -> depth++;
      case '}', ']' -> closed = --depth <= 0;
      default -> {}
    }
  }

  /// True if the bytes so far can be one JSON object from its first byte to its last.
  boolean passed() {
    return sound && closed && depth == 0 && !inString;
  }
}
