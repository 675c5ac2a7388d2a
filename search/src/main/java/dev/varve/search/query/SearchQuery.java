// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.query;

import java.util.List;

/// A query: the words that a text must have, and the filters that a place of the text must pass.
///
/// @param words null-free tree of words; [Words.Everything] if the query has filters only
/// @param filters all of which must be passed; several of one field that are not negated count as
///   one, of which one value must match
public record SearchQuery(Words words, List<Filter> filters) {

  public SearchQuery {
    filters = List.copyOf(filters);
  }

  /// Words of a text.
  public sealed interface Words {

    /// Any text.
    record Everything() implements Words {}

    /// A word, or words that follow each other.
    record Phrase(String text) implements Words {}

    /// Words that begin so.
    record Prefix(String start) implements Words {}

    /// Words that match a regular expression as a whole.
    ///
    /// @param column where the expression stands in the query, starting at 1
    record Pattern(String expression, int column) implements Words {}

    /// Texts that match all of these.
    record All(List<Words> parts) implements Words {
      public All {
        parts = List.copyOf(parts);
      }
    }

    /// Texts that match one of these.
    record Any(List<Words> parts) implements Words {
      public Any {
        parts = List.copyOf(parts);
      }
    }

    /// Texts that do not match this.
    record Not(Words part) implements Words {}
  }

  /// A condition on a place of a text.
  ///
  /// @param value as given, without quotes
  /// @param negated whether a place must not match
  /// @param column where the filter stands in the query, starting at 1
  public record Filter(SearchField field, String value, boolean negated, int column) {}
}
