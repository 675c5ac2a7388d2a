// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.StoreException;
import dev.varve.search.query.SearchParser;
import dev.varve.search.query.SearchQuery;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/// A question to the index.
///
/// @param limit the most hits of an answer, from 1 to [#LIMIT_MAX]
/// @param cursor of an earlier answer; null for the first page
/// @param now what ages in the query are counted from
/// @param zone of dates in the query
public record SearchRequest(
    SearchQuery query, int limit, @Nullable String cursor, Instant now, ZoneId zone) {

  public static final int LIMIT_MAX = 200;

  public SearchRequest {
    if (limit < 1 || limit > LIMIT_MAX) {
      throw new StoreException.Invalid("limit", "expected 1 to " + LIMIT_MAX + ", found " + limit);
    }
  }

  /// The first page of a query.
  ///
  /// @throws dev.varve.StoreException.Invalid if the text is no query; names the column
  public static SearchRequest of(String query, int limit, Instant now, ZoneId zone) {
    return new SearchRequest(SearchParser.parse(query), limit, null, now, zone);
  }

  /// The page of the same query behind a cursor; the first one if the cursor is null.
  public SearchRequest after(@Nullable String value) {
    return new SearchRequest(query, limit, value, now, zone);
  }
}
