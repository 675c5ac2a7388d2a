// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.search.text.WordCutter;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;

/// The words of a text for the index. One stream reads one text after the other.
final class WordStream extends TokenStream {

  private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
  private final PositionIncrementAttribute increment =
      addAttribute(PositionIncrementAttribute.class);

  private final List<String> words = new ArrayList<>();
  private final List<Boolean> steps = new ArrayList<>();
  private String text = "";
  private int next;

  /// Takes the text that the next [#reset] begins.
  WordStream of(String value) {
    text = value;
    return this;
  }

  @Override
  public void reset() {
    words.clear();
    steps.clear();
    next = 0;
    int[] last = {-1};
    WordCutter.cut(
        text,
        true,
        (folded, _, _, position, _) -> {
          words.add(folded);
          steps.add(position > last[0]);
          last[0] = position;
        });
  }

  @Override
  public boolean incrementToken() {
    if (next == words.size()) {
      return false;
    }
    clearAttributes();
    term.append(words.get(next));
    increment.setPositionIncrement(steps.get(next) ? 1 : 0);
    next++;
    return true;
  }

  @Override
  public void close() {
    words.clear();
    steps.clear();
    text = "";
  }
}
