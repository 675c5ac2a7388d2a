// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.text;

import org.jspecify.annotations.Nullable;

/// A text of a turn.
///
/// @param tool the name of the tool that the text belongs to; empty if none
/// @param path the files that the call names, with spaces between; empty if none
/// @param exit the exit status of a result: 0 if the tool succeeded, 1 if the tool failed without a
///   number; null if the result does not say, and for all other kinds
/// @param call the id that joins a call and its result; empty if none
public record FoundText(
    TextKind kind, String text, String tool, String path, @Nullable Integer exit, String call) {

  /// The most characters of a text that are looked at. Text behind is not found.
  public static final int CHARS_MAX = 1 << 20;

  public FoundText {
    if (text.length() > CHARS_MAX) {
      int end = Character.isHighSurrogate(text.charAt(CHARS_MAX - 1)) ? CHARS_MAX - 1 : CHARS_MAX;
      text = text.substring(0, end);
    }
  }

  /// A text without a tool.
  static FoundText of(TextKind kind, String text) {
    return new FoundText(kind, text, "", "", null, "");
  }
}
