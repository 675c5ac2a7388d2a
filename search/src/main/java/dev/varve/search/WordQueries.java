// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.search.query.QueryProblem;
import dev.varve.search.query.SearchQuery.Words;
import dev.varve.search.text.WordCutter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.RegexpQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;

/// The words of a query as a query of Lucene over one field.
record WordQueries(String field) {

  Query of(Words words) {
    return switch (words) {
      case Words.Everything _ -> MatchAllDocsQuery.INSTANCE;
      case Words.Phrase(String text) -> phrase(text);
      case Words.Prefix(String start) -> prefix(start);
      case Words.Pattern(String expression, int column) -> pattern(expression, column);
      case Words.All(List<Words> parts) -> all(parts);
      case Words.Any(List<Words> parts) -> any(parts);
      case Words.Not(Words part) -> except(List.of(), List.of(part));
    };
  }

  /// The words of a text, one behind the other.
  static List<String> cut(String text) {
    List<String> words = new ArrayList<>();
    WordCutter.cut(text, false, (folded, _, _, _, _) -> words.add(folded));
    return words;
  }

  Query phrase(String text) {
    List<String> words = cut(text);
    if (words.isEmpty()) {
      throw QueryProblem.at(1, "expected a letter or a digit in '" + text + "'");
    }
    if (words.size() > 1) {
      return new PhraseQuery(field, words.toArray(String[]::new));
    }
    String word = words.getFirst();
    // A single character of Chinese or Japanese is found by the pairs that begin with it.
    return word.codePointCount(0, word.length()) == 1 && word.codePointAt(0) >= 0x1100
        ? new PrefixQuery(new Term(field, word))
        : new TermQuery(new Term(field, word));
  }

  private Query prefix(String start) {
    List<String> words = cut(start);
    if (words.isEmpty()) {
      throw QueryProblem.at(1, "expected a letter or a digit in '" + start + "*'");
    }
    Query last = new PrefixQuery(new Term(field, words.getLast()));
    if (words.size() == 1) {
      return last;
    }
    BooleanQuery.Builder both = new BooleanQuery.Builder();
    String[] before = words.subList(0, words.size() - 1).toArray(String[]::new);
    both.add(new PhraseQuery(field, before), Occur.MUST);
    return both.add(last, Occur.MUST).build();
  }

  private Query pattern(String expression, int column) {
    try {
      return new RegexpQuery(new Term(field, expression.toLowerCase(Locale.ROOT)));
    } catch (IllegalArgumentException | TooComplexToDeterminizeException e) {
      throw QueryProblem.at(
          column, "expected a regular expression of bounded size, found '" + expression + "'");
    }
  }

  private Query all(List<Words> parts) {
    List<Words> wanted = new ArrayList<>();
    List<Words> unwanted = new ArrayList<>();
    for (Words part : parts) {
      if (part instanceof Words.Not(Words inner)) {
        unwanted.add(inner);
      } else {
        wanted.add(part);
      }
    }
    return except(wanted, unwanted);
  }

  private Query except(List<Words> wanted, List<Words> unwanted) {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    wanted.forEach(part -> query.add(of(part), Occur.MUST));
    unwanted.forEach(part -> query.add(of(part), Occur.MUST_NOT));
    if (wanted.isEmpty()) {
      query.add(MatchAllDocsQuery.INSTANCE, Occur.FILTER);
    }
    return query.build();
  }

  private Query any(List<Words> parts) {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    parts.forEach(part -> query.add(of(part), Occur.SHOULD));
    return query.build();
  }
}
