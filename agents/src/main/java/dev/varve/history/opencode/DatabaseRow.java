// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.opencode;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A row of a table.
///
/// @param columns the values by the names of their columns: null, [Long], [Double], [String],
///   [RawText], or `byte[]` for a blob
record DatabaseRow(String table, Map<String, @Nullable Object> columns) {

  /// A text that is no UTF-8.
  @SuppressWarnings("ArrayRecordComponent") // nobody compares these
  record RawText(byte[] bytes) {}

  DatabaseRow {
    columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
  }

  /// The text in a column; empty if something else is there.
  String text(String column) {
    return columns.get(column) instanceof String text ? text : "";
  }
}
