// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.query;

import org.jspecify.annotations.Nullable;

/// An error in a query, with its place.
///
/// @param message for people
/// @param field the field that the error concerns, null for none
public record CqlError(Kind kind, String message, @Nullable String field, Position position) {

  public enum Kind {
    SYNTAX_ERROR("SyntaxError"),
    UNKNOWN_FIELD("UnknownField"),
    INVALID_OPERATOR("InvalidOperator"),
    INVALID_VALUE("InvalidValue");

    private final String written;

    Kind(String written) {
      this.written = written;
    }

    /// The name in answers.
    public String written() {
      return written;
    }
  }

  /// A place in a text.
  ///
  /// @param line from 1
  /// @param column in characters (code points), from 1
  /// @param offset in bytes of UTF-8, from 0
  public record Position(int line, int column, int offset) {}
}
