// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.search;

import dev.varve.cli.terminal.SafeText;
import dev.varve.cli.terminal.StyledLine;
import dev.varve.cli.terminal.StyledLine.Style;
import dev.varve.search.Snippet;
import java.util.function.Consumer;

/// A snippet broken into lines, with the words of the query in bold.
///
/// @param columns the width of a line without its indent
record SnippetLines(Snippet snippet, int columns, String indent) {

  private static final int LINES_MAX = 3;

  void each(Consumer<StyledLine> lines) {
    String text = snippet.text();
    int from = 0;
    for (int i = 0; i < LINES_MAX && from < text.length(); i++) {
      int room = columns - (i == 0 && snippet.cutBefore() ? 2 : 0) - 2;
      int to = end(text, from, room);
      StyledLine line = new StyledLine().add(indent);
      if (i == 0 && snippet.cutBefore()) {
        line.add("… ");
      }
      pieces(text, from, to, line);
      boolean isLast = i == LINES_MAX - 1 || to == text.length();
      if (isLast && (to < text.length() || snippet.cutAfter())) {
        line.add(" …");
      }
      lines.accept(line);
      from = to;
      while (from < text.length() && text.charAt(from) == ' ') {
        from++;
      }
    }
  }

  /// The end of a line: at a space, unless a word is longer than the line.
  private static int end(String text, int from, int room) {
    int used = 0;
    int space = -1;
    int i = from;
    while (i < text.length()) {
      int next = i + Character.charCount(text.codePointAt(i));
      used += SafeText.columns(SafeText.line(text.substring(i, next)));
      if (used > room) {
        return space > from ? space : Math.max(i, from + 1);
      }
      space = text.charAt(i) == ' ' ? i : space;
      i = next;
    }
    return i;
  }

  private void pieces(String text, int from, int to, StyledLine line) {
    int at = from;
    for (Snippet.Mark mark : snippet.marks()) {
      int start = Math.clamp(mark.from(), at, to);
      int end = Math.clamp(mark.to(), start, to);
      line.add(text.substring(at, start)).add(Style.BOLD, text.substring(start, end));
      at = end;
    }
    line.add(text.substring(at, to));
  }
}
