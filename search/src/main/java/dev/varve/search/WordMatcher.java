// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.search.query.SearchQuery.Words;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.lucene.util.automaton.CharacterRunAutomaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;

/// Decides whether a word of a text is one that a query asked for.
final class WordMatcher {

  private final Set<String> exact = new HashSet<>();
  private final List<String> starts = new ArrayList<>();
  private final List<CharacterRunAutomaton> patterns = new ArrayList<>();

  private WordMatcher() {}

  /// The words that a query wants; those that it does not want are left out.
  static WordMatcher of(Words words) {
    WordMatcher matcher = new WordMatcher();
    matcher.take(words);
    return matcher;
  }

  private void take(Words words) {
    switch (words) {
      case Words.Everything _, Words.Not _ -> {}
      case Words.Phrase(String text) -> {
        exact.addAll(WordQueries.cut(text));
        exact.stream()
            .filter(word -> word.codePointCount(0, word.length()) == 1)
            .filter(word -> word.codePointAt(0) >= 0x1100)
            .forEach(starts::add);
      }
      case Words.Prefix(String start) -> {
        List<String> cut = WordQueries.cut(start);
        if (!cut.isEmpty()) {
          exact.addAll(cut.subList(0, cut.size() - 1));
          starts.add(cut.getLast());
        }
      }
      case Words.Pattern(String expression, int _) ->
          patterns.add(
              new CharacterRunAutomaton(
                  Operations.determinize(
                      new RegExp(expression.toLowerCase(Locale.ROOT)).toAutomaton(),
                      Operations.DEFAULT_DETERMINIZE_WORK_LIMIT)));
      case Words.All(List<Words> parts) -> parts.forEach(this::take);
      case Words.Any(List<Words> parts) -> parts.forEach(this::take);
    }
  }

  boolean matches(String folded) {
    return exact.contains(folded)
        || starts.stream().anyMatch(folded::startsWith)
        || patterns.stream().anyMatch(pattern -> pattern.run(folded));
  }
}
