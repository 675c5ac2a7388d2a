// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.search.text.WordCutter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Cuts the part of a text that has the most of the words that were asked for.
final class SnippetCutter {

  private static final int CHARS = 220;

  /// The length of the text before the first word.
  private static final int BEFORE_CHARS = 60;

  private record Match(String word, int from, int to) {}

  private final WordMatcher words;

  SnippetCutter(WordMatcher words) {
    this.words = words;
  }

  Snippet cut(String text) {
    int start = best(matches(text));
    int from = start <= BEFORE_CHARS ? 0 : border(text, start - BEFORE_CHARS);
    int to = from + CHARS >= text.length() ? text.length() : from + CHARS;
    if (to < text.length() && Character.isLowSurrogate(text.charAt(to))) {
      to--;
    }
    String shown = text.substring(from, to).replaceAll("\\s+", " ").strip();
    List<Snippet.Mark> marks = new ArrayList<>();
    for (Match match : matches(shown)) {
      if (marks.isEmpty() || marks.getLast().to() <= match.from) {
        marks.add(new Snippet.Mark(match.from, match.to));
      }
    }
    return new Snippet(shown, marks, from > 0, to < text.length());
  }

  private List<Match> matches(String text) {
    List<Match> found = new ArrayList<>();
    WordCutter.cut(
        text,
        true,
        (folded, from, to, _, _) -> {
          if (words.matches(folded)) {
            found.add(new Match(folded, from, to));
          }
        });
    return found;
  }

  /// The beginning of the stretch with the most different words, then the most words.
  private static int best(List<Match> matches) {
    Map<String, Integer> inside = new HashMap<>();
    Deque<Match> window = new ArrayDeque<>();
    int best = 0;
    long bestValue = -1;
    for (Match match : matches) {
      window.addLast(match);
      inside.merge(match.word, 1, Integer::sum);
      while (match.to - window.getFirst().from > CHARS - BEFORE_CHARS && window.size() > 1) {
        Match gone = window.removeFirst();
        inside.computeIfPresent(gone.word, (_, count) -> count == 1 ? null : count - 1);
      }
      long value = inside.size() * 1000L + Math.min(window.size(), 999);
      if (value > bestValue) {
        bestValue = value;
        best = window.getFirst().from;
      }
    }
    return best;
  }

  /// The beginning of a word at or shortly behind a place.
  private static int border(String text, int near) {
    for (int i = near; i < Math.min(near + 20, text.length()); i++) {
      if (Character.isWhitespace(text.charAt(i))) {
        return i + 1;
      }
    }
    return Character.isLowSurrogate(text.charAt(near)) ? near + 1 : near;
  }
}
