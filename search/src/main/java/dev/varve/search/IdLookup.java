// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.search.query.SearchQuery;
import dev.varve.search.query.SearchQuery.Words;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/// The lookup of a turn by the hash of its payload, by the id that its program gave it, or by the
/// id of a call: whole, or the first characters.
final class IdLookup {

  private static final Pattern ID = Pattern.compile("(?=.*[0-9])[0-9A-Za-z_:-]{6,128}");
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{6,64}");

  private IdLookup() {}

  /// The places that a query names by an id; null if the query is not one word that may be an id.
  static @Nullable Query of(SearchQuery query) {
    if (!query.filters().isEmpty()
        || !(query.words() instanceof Words.Phrase(String text))
        || !ID.matcher(text).matches()) {
      return null;
    }
    String lower = text.toLowerCase(Locale.ROOT);
    Query id = new PrefixQuery(new Term(IndexFields.ID, lower));
    if (!HASH.matcher(lower).matches()) {
      return id;
    }
    return new BooleanQuery.Builder()
        .add(id, Occur.SHOULD)
        .add(hashes(lower), Occur.SHOULD)
        .build();
  }

  /// The hashes that begin with these digits, an even or odd number of them.
  private static Query hashes(String digits) {
    String least = digits.length() % 2 == 0 ? digits : digits + "0";
    String most = digits + "f".repeat(64 - digits.length());
    return new TermRangeQuery(
        IndexFields.HASH,
        new BytesRef(HexFormat.of().parseHex(least)),
        new BytesRef(HexFormat.of().parseHex(most)),
        true,
        true);
  }
}
