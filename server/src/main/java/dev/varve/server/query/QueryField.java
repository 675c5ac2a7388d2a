// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.query;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A property of a context, by its name in queries.
enum QueryField {
  ID,
  TAG,
  TITLE,
  LABEL,
  USER,
  SERVICE,
  HOST,
  TRACE_ID,
  PARENT,
  ROOT,
  CREATED,
  DEPTH,
  IS_LIVE;

  /// The name in queries.
  String written() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The field that a word names; names are case-sensitive.
  static QueryField named(QueryToken word) {
    for (QueryField field : values()) {
      if (field.written().equals(word.text())) {
        return field;
      }
    }
    String known = Stream.of(values()).map(QueryField::written).collect(Collectors.joining(", "));
    throw new CqlRefusal(
        new CqlError(
            CqlError.Kind.UNKNOWN_FIELD,
            "Unknown field '" + word.text() + "'. Valid fields: " + known,
            word.text(),
            word.position()));
  }
}
