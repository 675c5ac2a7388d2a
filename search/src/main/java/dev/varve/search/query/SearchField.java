// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.query;

import java.util.Locale;
import java.util.Optional;

/// A field that a filter can name.
public enum SearchField {
  AGENT,
  PROJECT,
  BRANCH,
  CONTEXT,
  ROLE,
  TOOL,
  PATH,
  EXIT,
  SINCE,
  UNTIL;

  /// The name in a query.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Optional<SearchField> find(String word) {
    for (SearchField field : values()) {
      if (field.word().equals(word)) {
        return Optional.of(field);
      }
    }
    return Optional.empty();
  }
}
