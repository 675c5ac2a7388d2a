// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.json;

/// The place and the reason of an error in a text that is not JSON.
///
/// @param offset the first byte that cannot stand at its place
/// @param position the same place for people
/// @param what the expected and the found text, in one sentence
/// @param kind the kind of error, of those that an edit by hand usually makes
public record JsonError(int offset, TextPosition position, String what, Kind kind)
    implements JsonReading {

  /// Kinds of errors.
  public enum Kind {
    /// Three bytes at the beginning, which some editors write.
    BYTE_ORDER_MARK,
    /// A comma after the last value; the offset is the offset of the bracket.
    COMMA_AT_END,
    /// `// …` or `/* … */`
    COMMENT,
    /// The text ends too early.
    CUT_OFF,
    /// A byte in a string that belongs to no character.
    NOT_UTF8,
    /// More values or levels than the parser accepts.
    TOO_LARGE,
    OTHER
  }

  public boolean cutOff() {
    return kind == Kind.CUT_OFF;
  }

  @Override
  public String toString() {
    return position + ": " + what;
  }
}
