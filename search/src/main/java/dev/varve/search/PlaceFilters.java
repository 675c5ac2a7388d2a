// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.search.query.QueryProblem;
import dev.varve.search.query.SearchField;
import dev.varve.search.query.SearchQuery.Filter;
import dev.varve.search.query.SearchTime;
import dev.varve.search.text.TextKind;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.lucene.document.IntField;
import org.apache.lucene.document.LongField;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;

/// The filters of a query as a query of Lucene over the places of texts.
final class PlaceFilters {

  private static final WordQueries PATHS = new WordQueries(IndexFields.PATH);

  private final IndexSearcher searcher;
  private final Instant now;
  private final ZoneId zone;

  PlaceFilters(IndexSearcher searcher, Instant now, ZoneId zone) {
    this.searcher = searcher;
    this.now = now;
    this.zone = zone;
  }

  /// All places that pass the filters.
  Query of(List<Filter> filters) throws IOException {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    query.add(new FieldExistsQuery(IndexFields.OF), Occur.FILTER);
    Map<SearchField, BooleanQuery.Builder> either = new EnumMap<>(SearchField.class);
    for (Filter filter : filters) {
      if (filter.negated()) {
        query.add(one(filter), Occur.MUST_NOT);
      } else if (filter.field() == SearchField.SINCE || filter.field() == SearchField.UNTIL) {
        query.add(one(filter), Occur.FILTER);
      } else {
        either
            .computeIfAbsent(filter.field(), _ -> new BooleanQuery.Builder())
            .add(one(filter), Occur.SHOULD);
      }
    }
    either.values().forEach(each -> query.add(each.build(), Occur.FILTER));
    return query.build();
  }

  private Query one(Filter filter) throws IOException {
    return switch (filter.field()) {
      case AGENT -> contexts(IndexFields.AGENT, filter.value());
      case PROJECT -> contexts(IndexFields.PROJECT, filter.value());
      case BRANCH -> contexts(IndexFields.BRANCH, filter.value());
      case CONTEXT -> LongField.newExactQuery(IndexFields.CONTEXT, number(filter));
      case ROLE -> role(filter);
      case TOOL -> word(IndexFields.TOOL, filter.value());
      case PATH -> PATHS.phrase(filter.value());
      case EXIT -> exit(filter);
      case SINCE -> LongField.newRangeQuery(IndexFields.AT, time(filter), Long.MAX_VALUE);
      case UNTIL -> LongField.newRangeQuery(IndexFields.AT, Long.MIN_VALUE, time(filter) - 1);
    };
  }

  private long time(Filter filter) {
    return SearchTime.of(filter, now, zone).toEpochMilli();
  }

  private static long number(Filter filter) {
    if (!filter.value().matches("[0-9]{1,18}")) {
      throw QueryProblem.at(
          filter.column(), "expected the number of a context, found '" + filter.value() + "'");
    }
    return Long.parseLong(filter.value());
  }

  private static Query role(Filter filter) {
    TextKind kind =
        TextKind.find(filter.value())
            .orElseThrow(
                () ->
                    QueryProblem.at(
                        filter.column(),
                        "expected prompt, answer, thinking, command, output, path, edit, title or"
                            + " text, found '"
                            + filter.value()
                            + "'"));
    return new TermQuery(new Term(IndexFields.KIND, kind.word()));
  }

  private static Query exit(Filter filter) {
    boolean not = filter.value().startsWith("!");
    String digits = not ? filter.value().substring(1) : filter.value();
    if (!digits.matches("-?[0-9]{1,9}")) {
      throw QueryProblem.at(
          filter.column(),
          "expected an exit status such as 1 or !0, found '" + filter.value() + "'");
    }
    Query exact = IntField.newExactQuery(IndexFields.EXIT, Integer.parseInt(digits));
    if (!not) {
      return exact;
    }
    return new BooleanQuery.Builder()
        .add(new FieldExistsQuery(IndexFields.EXIT), Occur.FILTER)
        .add(exact, Occur.MUST_NOT)
        .build();
  }

  private static Query word(String field, String value) {
    String lower = value.toLowerCase(Locale.ROOT);
    return lower.endsWith("*")
        ? new PrefixQuery(new Term(field, lower.substring(0, lower.length() - 1)))
        : new TermQuery(new Term(field, lower));
  }

  /// The places in the contexts whose description has a value, and in those that such a context was
  /// forked from: an import appends through a context of its own.
  private Query contexts(String field, String value) throws IOException {
    LongStream.Builder found = LongStream.builder();
    new DocumentNumbers(searcher)
        .each(word(field, value), List.of(IndexFields.CONTEXT), values -> found.add(values[0]));
    long[] numbers = found.build().sorted().distinct().toArray();
    return numbers.length == 0
        ? new MatchNoDocsQuery("no such context")
        : LongField.newSetQuery(IndexFields.CONTEXT, numbers);
  }
}
