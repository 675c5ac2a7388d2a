// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/// One line of output: pieces of text, each with a style. Text is made safe as it comes in, so a
/// line cannot carry an escape sequence other than its own colours.
public final class StyledLine {

  /// The look of a piece of text at a terminal that shows colours.
  public enum Style {
    PLAIN(""),
    BOLD("\u001b[1m"),
    FAINT("\u001b[2m"),
    RED("\u001b[31m"),
    GREEN("\u001b[32m"),
    YELLOW("\u001b[33m"),
    CYAN("\u001b[36m");

    private final String start;

    Style(String start) {
      this.start = start;
    }
  }

  private static final String END = "\u001b[0m";

  private record Piece(Style style, String text) {}

  private final List<Piece> pieces = new ArrayList<>();
  private int columns;

  public static StyledLine of(String text) {
    return new StyledLine().add(text);
  }

  public StyledLine add(String text) {
    return add(Style.PLAIN, text);
  }

  public StyledLine add(Style style, String text) {
    String safe = SafeText.line(text);
    pieces.add(new Piece(style, safe));
    columns += SafeText.columns(safe);
    return this;
  }

  /// Spaces up to column `column`, at least one if something stands before.
  public StyledLine tab(int column) {
    return add(" ".repeat(Math.max(columns == 0 ? 0 : 1, column - columns)));
  }

  /// The number of columns that the line takes at a terminal.
  public int columns() {
    return columns;
  }

  String render(boolean colour) {
    StringBuilder text = new StringBuilder();
    for (Piece piece : pieces) {
      if (colour && piece.style != Style.PLAIN && !piece.text.isEmpty()) {
        text.append(piece.style.start).append(piece.text).append(END);
      } else {
        text.append(piece.text);
      }
    }
    int end = text.length();
    while (end > 0 && text.charAt(end - 1) == ' ') {
      end--;
    }
    return text.substring(0, end);
  }
}
