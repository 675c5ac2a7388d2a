// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.json;

/// Where and why bytes are no JSON.
///
/// @param offset of the first byte that cannot stand there
/// @param position the same place for people
/// @param what expected and found, one sentence
/// @param slip a usual slip of those who edit by hand
public record Malformed(int offset, Position position, String what, Slip slip)
    implements JsonReading {

  /// Slips that can be told apart.
  public enum Slip {
    /// Three bytes in front, which some editors write.
    BYTE_ORDER_MARK,
    /// A comma behind the last value; the offset is that of the bracket.
    COMMA_AT_END,
    /// `// …` or `/* … */`
    COMMENT,
    /// The text ends too early.
    CUT_OFF,
    /// A byte in a string that is part of no character.
    NOT_UTF8,
    /// More values or levels than are taken in.
    TOO_LARGE,
    OTHER
  }

  public boolean cutOff() {
    return slip == Slip.CUT_OFF;
  }

  @Override
  public String toString() {
    return position + ": " + what;
  }
}
