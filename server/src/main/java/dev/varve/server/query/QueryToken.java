// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.query;

/// A token of a query and its place.
///
/// @param text the content of a string; any other token as written
record QueryToken(Kind kind, String text, CqlError.Position position) {

  enum Kind {
    WORD,
    STRING,
    NUMBER,
    AND,
    OR,
    NOT,
    IN,
    OPEN,
    CLOSE,
    COMMA,
    EQUAL,
    NOT_EQUAL,
    PREFIX,
    EQUAL_IGNORING_CASE,
    PREFIX_IGNORING_CASE,
    GREATER,
    GREATER_OR_EQUAL,
    LESS,
    LESS_OR_EQUAL,
    END
  }
}
