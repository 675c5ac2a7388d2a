// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.rows;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A row of a table.
///
/// @param columns the values by the names of their columns: null, [Long], [Double], [String],
///   [RawText], or `byte[]` for a blob
public record DatabaseRow(String table, Map<String, @Nullable Object> columns) {

  /// A text that is no UTF-8.
  @SuppressWarnings("ArrayRecordComponent") // nobody compares these
  public record RawText(byte[] bytes) {}

  public DatabaseRow {
    columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
  }

  /// The text in a column; empty if something else is there.
  public String text(String column) {
    return columns.get(column) instanceof String text ? text : "";
  }

  /// The number in a column; 0 if something else is there.
  public long number(String column) {
    return columns.get(column) instanceof Long number ? number : 0;
  }
}
