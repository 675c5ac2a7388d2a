// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.search.query.SearchQuery;
import dev.varve.search.query.SearchQuery.Words;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/// The lookup of a turn by the hash of its payload, by the id that its program gave it, or by the
/// id of a call: whole, or the first characters.
final class IdLookup {

  private static final Pattern ID = Pattern.compile("(?=.*[0-9])[0-9A-Za-z_:-]{6,128}");

  private IdLookup() {}

  /// The places that a query names by an id; null if the query is not one word that may be an id.
  static @Nullable Query of(SearchQuery query) {
    return query.filters().isEmpty()
            && query.words() instanceof Words.Phrase(String text)
            && ID.matcher(text).matches()
        ? new PrefixQuery(new Term(IndexFields.ID, text.toLowerCase(Locale.ROOT)))
        : null;
  }
}
