// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.query;

import dev.varve.StoreException;

/// Makes the refusal of a query: names the column at which the query is wrong.
public final class QueryProblem {

  private QueryProblem() {}

  /// @param column starting at 1
  /// @param message the expected and the found
  public static StoreException.Invalid at(int column, String message) {
    return new StoreException.Invalid("query", "column " + column + ": " + message);
  }
}
