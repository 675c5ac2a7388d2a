// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.search.query.SearchQuery.Words;
import dev.varve.search.text.TextKind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.document.LongField;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSelector;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.LongBitSet;
import org.jspecify.annotations.Nullable;

/// One search in one state of the index.
///
/// Words are looked for among the texts, filters among the places; a text is a hit if it matches
/// and one of its places passes. For one thread.
final class HitFinder {

  private static final float RECENCY_WEIGHT = 1.5f;
  private static final long RECENCY_PIVOT_MS = Duration.ofDays(14).toMillis();

  /// The number of places of a text that are tried until one shows that it still holds the text.
  private static final int PLACES_TRIED = 16;

  private static final Sort BY_SCORE =
      new Sort(SortField.FIELD_SCORE, number(IndexFields.TEXT, false));

  private static final Sort BY_TIME =
      new Sort(
          number(IndexFields.AT, true),
          number(IndexFields.TURN, true),
          number(IndexFields.OF, false));

  private final IndexSearcher searcher;
  private final IndexReader reader;
  private final SearchRequest request;
  private final long texts;
  private final HitReader hits;
  private final @Nullable SearchCursor cursor;
  private final long nowMs;

  /// @param texts how many numbers were given to texts
  HitFinder(IndexReader reader, Store store, SearchRequest request, long texts) {
    this.searcher = new IndexSearcher(reader);
    this.reader = reader;
    this.request = request;
    this.texts = texts;
    this.cursor = request.cursor() == null ? null : SearchCursor.parse(request.cursor());
    this.nowMs = cursor == null ? request.now().toEpochMilli() : cursor.nowMs();
    WordMatcher words = WordMatcher.of(request.query().words());
    this.hits = new HitReader(store, searcher, new SnippetCutter(words));
  }

  private static SortField number(String field, boolean reverse) {
    return LongField.newSortField(field, reverse, SortedNumericSelector.Type.MIN);
  }

  SearchPage find(SearchPage.Coverage coverage) throws IOException {
    boolean byWords = !(request.query().words() instanceof Words.Everything);
    if (cursor != null && cursor.byWords() != byWords) {
      throw new StoreException.Invalid("cursor", "expected one of this query, found another");
    }
    Query places =
        new PlaceFilters(searcher, request.now(), request.zone()).of(request.query().filters());
    return byWords ? byWords(places, coverage) : byTime(places, coverage);
  }

  // ---- words

  private SearchPage byWords(Query places, SearchPage.Coverage coverage) throws IOException {
    Query words = new WordQueries(IndexFields.BODY).of(request.query().words());
    BooleanQuery.Builder matching = new BooleanQuery.Builder();
    matching.add(words, Occur.MUST);
    if (!hasWanted(request.query().words())) {
      matching.add(new FieldExistsQuery(IndexFields.TEXT), Occur.FILTER);
    }
    if (!request.query().filters().isEmpty()) {
      matching.add(new TextSetQuery(textsOf(places)), Occur.FILTER);
    }
    Query scored = scored(matching.build());
    List<SearchHit> found = new ArrayList<>(cursor == null ? byId() : List.of());
    int byId = found.size();
    FieldDoc after = cursor == null ? null : cursor.document(reader.maxDoc());
    int wanted = request.limit();
    boolean more = true;
    while (found.size() < wanted && more) {
      TopFieldDocs page = page(scored, after, wanted, BY_SCORE);
      more = page.scoreDocs.length == wanted;
      for (ScoreDoc document : page.scoreDocs) {
        after = (FieldDoc) document;
        BytesRef key = IndexNumbers.bytes(reader, document.doc, IndexFields.KEY);
        textHit(key, (Long) fields(after)[1], places).ifPresent(found::add);
        if (found.size() == wanted) {
          more |= document.doc != page.scoreDocs[page.scoreDocs.length - 1].doc;
          break;
        }
      }
    }
    String next =
        more && after != null
            ? new SearchCursor(
                    true,
                    Float.floatToIntBits((Float) fields(after)[0]),
                    (Long) fields(after)[1],
                    0,
                    nowMs)
                .toString()
            : null;
    return new SearchPage(found, next, byId + searcher.count(matching.build()), coverage);
  }

  /// Decides whether words match texts alone: only texts have words, but every document lacks some.
  private static boolean hasWanted(Words words) {
    return switch (words) {
      case Words.Everything _, Words.Not _ -> false;
      case Words.Phrase _, Words.Prefix _, Words.Pattern _ -> true;
      case Words.All(List<Words> parts) -> parts.stream().anyMatch(HitFinder::hasWanted);
      case Words.Any(List<Words> parts) -> parts.stream().allMatch(HitFinder::hasWanted);
    };
  }

  private static Object[] fields(FieldDoc document) {
    return document.fields;
  }

  private TopFieldDocs page(Query query, @Nullable FieldDoc after, int limit, Sort sort)
      throws IOException {
    return after == null
        ? searcher.search(query, limit, sort)
        : (TopFieldDocs) searcher.searchAfter(after, query, limit, sort);
  }

  private LongBitSet textsOf(Query places) throws IOException {
    LongBitSet numbers = new LongBitSet(texts);
    new DocumentNumbers(searcher)
        .each(places, List.of(IndexFields.OF), values -> numbers.set(values[0]));
    return numbers;
  }

  /// People's words and titles before what tools said; newer before older.
  private Query scored(Query matching) {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    query.add(matching, Occur.MUST);
    query.add(
        LongField.newDistanceFeatureQuery(IndexFields.AT, RECENCY_WEIGHT, nowMs, RECENCY_PIVOT_MS),
        Occur.SHOULD);
    for (TextKind kind : TextKind.values()) {
      Query only = new TermQuery(new Term(IndexFields.KIND, kind.word()));
      float weight =
          switch (kind) {
            case TITLE -> 2f;
            case PROMPT -> 1.5f;
            case ANSWER, COMMAND -> 1f;
            case TEXT, EDIT, PATH -> 0.5f;
            case THINKING, OUTPUT -> 0f;
          };
      if (weight > 0) {
        query.add(new BoostQuery(new ConstantScoreQuery(only), weight), Occur.SHOULD);
      }
    }
    return query.build();
  }

  private Optional<SearchHit> textHit(BytesRef key, long text, Query places) throws IOException {
    Query its = NumberTerms.query(IndexFields.OF, text);
    Query own =
        request.query().filters().isEmpty()
            ? its
            : new BooleanQuery.Builder().add(places, Occur.FILTER).add(its, Occur.FILTER).build();
    for (ScoreDoc place : searcher.search(own, PLACES_TRIED, BY_TIME).scoreDocs) {
      Optional<SearchHit> hit = hits.read(key, place.doc);
      if (hit.isPresent()) {
        return hit;
      }
    }
    return Optional.empty();
  }

  private List<SearchHit> byId() throws IOException {
    Query places = IdLookup.of(request.query());
    return places == null ? List.of() : placeHits(searcher.search(places, 10, BY_TIME).scoreDocs);
  }

  // ---- filters alone

  private SearchPage byTime(Query places, SearchPage.Coverage coverage) throws IOException {
    List<SearchHit> found = new ArrayList<>();
    FieldDoc after = cursor == null ? null : cursor.document(reader.maxDoc());
    boolean more = true;
    Set<String> seen = new HashSet<>();
    while (found.size() < request.limit() && more) {
      TopFieldDocs page = page(places, after, request.limit(), BY_TIME);
      more = page.scoreDocs.length == request.limit();
      for (ScoreDoc document : page.scoreDocs) {
        after = (FieldDoc) document;
        if (seen.add(fields(after)[1] + " " + fields(after)[2])) {
          found.addAll(placeHits(new ScoreDoc[] {document}));
        }
        if (found.size() == request.limit()) {
          more |= document.doc != page.scoreDocs[page.scoreDocs.length - 1].doc;
          break;
        }
      }
    }
    String next =
        more && after != null
            ? new SearchCursor(
                    false,
                    (Long) fields(after)[0],
                    (Long) fields(after)[1],
                    (Long) fields(after)[2],
                    nowMs)
                .toString()
            : null;
    return new SearchPage(found, next, searcher.count(places), coverage);
  }

  private List<SearchHit> placeHits(ScoreDoc[] places) throws IOException {
    List<SearchHit> found = new ArrayList<>();
    for (ScoreDoc place : places) {
      long text = IndexNumbers.of(reader, place.doc, IndexFields.OF, 0);
      Query its = NumberTerms.query(IndexFields.TEXT, text);
      for (ScoreDoc document : searcher.search(its, 1).scoreDocs) {
        BytesRef key = IndexNumbers.bytes(reader, document.doc, IndexFields.KEY);
        hits.read(key, place.doc).ifPresent(found::add);
      }
    }
    return found;
  }
}
