// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.query;

import dev.varve.search.query.SearchQuery.Words;
import dev.varve.search.text.WordCutter;
import java.util.ArrayList;
import java.util.List;

/// Makes a query of a text that was copied from somewhere: which texts have stretches of it.
public final class PastedText {

  /// The length of a stretch.
  private static final int STRETCH_WORDS = 6;

  /// The most stretches that are looked for, spread evenly over the text.
  private static final int STRETCHES_MAX = 64;

  private PastedText() {}

  /// The words of a pasted text.
  ///
  /// @throws dev.varve.StoreException.Invalid if there is no word in it
  public static Words words(String text) {
    List<int[]> places = new ArrayList<>();
    WordCutter.cut(text, false, (_, from, to, _, _) -> places.add(new int[] {from, to}));
    if (places.isEmpty()) {
      throw QueryProblem.at(1, "expected a text with a letter or a digit");
    }
    int stretch = Math.min(STRETCH_WORDS, places.size());
    int last = places.size() - stretch;
    int count = Math.min(STRETCHES_MAX, Math.max(1, places.size() / stretch));
    List<Words> stretches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int first = count == 1 ? 0 : (int) ((long) last * i / (count - 1));
      int from = places.get(first)[0];
      int to = places.get(first + stretch - 1)[1];
      stretches.add(new Words.Phrase(text.substring(from, to)));
    }
    return stretches.size() == 1 ? stretches.getFirst() : new Words.Any(stretches);
  }
}
