// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.query;

import dev.varve.search.query.SearchQuery.Filter;
import dev.varve.search.query.SearchQuery.Words;
import dev.varve.search.text.TextKind;
import dev.varve.search.text.WordCutter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Makes a query of a question or an error message in plain words: texts with any of the words,
/// those with more of them first.
public final class PlainQuestion {

  private static final int WORDS_MAX = 48;

  private PlainQuestion() {}

  /// The query for a question.
  ///
  /// @param kinds the kinds of texts that may answer
  /// @param filters more filters
  /// @throws dev.varve.StoreException.Invalid if there is no word in the question
  public static SearchQuery of(String question, List<TextKind> kinds, List<Filter> filters) {
    Set<String> words = new LinkedHashSet<>();
    WordCutter.cut(
        question.substring(0, Math.min(question.length(), SearchParser.CHARS_MAX)),
        false,
        (folded, _, _, _, _) -> {
          if (words.size() < WORDS_MAX) {
            words.add(folded);
          }
        });
    if (words.isEmpty()) {
      throw QueryProblem.at(1, "expected a letter or a digit");
    }
    List<Filter> all = new ArrayList<>(filters);
    kinds.forEach(kind -> all.add(new Filter(SearchField.ROLE, kind.word(), false, 1)));
    List<Words> phrases = words.stream().<Words>map(Words.Phrase::new).toList();
    return new SearchQuery(phrases.size() == 1 ? phrases.getFirst() : new Words.Any(phrases), all);
  }
}
