// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/// Rows under headings, in columns as wide as their cells; the last column is cut at the terminal's
/// edge. A column whose cells are all empty is left out.
public final class TextTable {

  private static final String GAP = "  ";

  private final List<String> headings;
  private final List<List<String>> rows = new ArrayList<>();

  /// @param headings one a column; those that start with `>` are aligned to the right
  public TextTable(String... headings) {
    this.headings = List.of(headings);
  }

  public void row(String... cells) {
    if (cells.length != headings.size()) {
      throw new IllegalArgumentException(cells.length + " cells, " + headings.size() + " columns");
    }
    List<String> row = new ArrayList<>();
    for (String cell : cells) {
      row.add(SafeText.line(cell));
    }
    rows.add(row);
  }

  public void print(Terminal terminal) {
    List<String> names = headings.stream().map(heading -> heading.replace(">", "")).toList();
    int[] widths = new int[names.size()];
    int last = 0;
    for (int i = 0; i < widths.length; i++) {
      for (List<String> row : rows) {
        widths[i] = Math.max(widths[i], SafeText.columns(row.get(i)));
      }
      if (widths[i] > 0) {
        widths[i] = Math.max(widths[i], names.get(i).length());
        last = i;
      }
    }
    terminal.println(line(names, widths, last, terminal.columns(), StyledLine.Style.FAINT));
    for (List<String> row : rows) {
      terminal.println(line(row, widths, last, terminal.columns(), StyledLine.Style.PLAIN));
    }
  }

  private StyledLine line(
      List<String> cells, int[] widths, int last, int columns, StyledLine.Style style) {
    StyledLine line = new StyledLine();
    for (int i = 0; i < last; i++) {
      if (widths[i] == 0) {
        continue;
      }
      String cell = cells.get(i);
      String pad = " ".repeat(widths[i] - SafeText.columns(cell));
      boolean right = headings.get(i).startsWith(">");
      StyledLine.Style own =
          i == 0 && style == StyledLine.Style.PLAIN ? StyledLine.Style.YELLOW : style;
      line.add(right ? pad : "").add(own, cell).add(right ? "" : pad).add(GAP);
    }
    int room = Math.max(20, columns - line.columns());
    return line.add(style, SafeText.cut(cells.get(last), room));
  }
}
