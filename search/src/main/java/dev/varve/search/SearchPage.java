// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// An answer to a search.
///
/// @param hits the best first, or the newest first if the query has filters only
/// @param next the cursor to the hits behind; null if these are the last
/// @param total how many texts match; of a query without words how many places
/// @param coverage how much of the store the index stands for
public record SearchPage(
    List<SearchHit> hits, @Nullable String next, long total, Coverage coverage) {

  /// The part of a store that is in the index.
  ///
  /// @param turns how many turns are in the index
  /// @param turnsAll how many turns the store has
  public record Coverage(long turns, long turnsAll) {

    /// Returns whether every turn is in the index.
    public boolean isWhole() {
      return turns >= turnsAll;
    }
  }

  public SearchPage {
    hits = List.copyOf(hits);
  }
}
