// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import java.util.ArrayList;
import java.util.List;

/// Rows under headings, in columns as wide as what they hold; the last column is cut at the
/// terminal's edge. A last column with nothing in it is left out.
final class Table {

  private static final String GAP = "  ";

  private final List<String> headings;
  private final List<List<String>> rows = new ArrayList<>();

  /// @param headings one a column; those that start with `>` are aligned to the right
  Table(String... headings) {
    this.headings = List.of(headings);
  }

  void row(String... cells) {
    if (cells.length != headings.size()) {
      throw new IllegalArgumentException(cells.length + " cells, " + headings.size() + " columns");
    }
    List<String> row = new ArrayList<>();
    for (String cell : cells) {
      row.add(SafeText.line(cell));
    }
    rows.add(row);
  }

  void print(Terminal terminal) {
    int shown = headings.size();
    if (rows.stream().allMatch(row -> row.getLast().isEmpty())) {
      shown--;
    }
    int[] widths = new int[shown];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = heading(i).length();
      for (List<String> row : rows) {
        widths[i] = Math.max(widths[i], SafeText.columns(row.get(i)));
      }
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; i < widths.length; i++) {
      names.add(heading(i));
    }
    terminal.println(line(names, widths, terminal.columns(), Line.Style.FAINT));
    for (List<String> row : rows) {
      terminal.println(line(row, widths, terminal.columns(), Line.Style.PLAIN));
    }
  }

  private String heading(int i) {
    return headings.get(i).replace(">", "");
  }

  private Line line(List<String> cells, int[] widths, int columns, Line.Style style) {
    Line line = new Line();
    int last = widths.length - 1;
    for (int i = 0; i < last; i++) {
      String cell = cells.get(i);
      String pad = " ".repeat(widths[i] - SafeText.columns(cell));
      boolean right = headings.get(i).startsWith(">");
      Line.Style own = i == 0 && style == Line.Style.PLAIN ? Line.Style.YELLOW : style;
      line.add(right ? pad : "").add(own, cell).add(right ? "" : pad).add(GAP);
    }
    int room = Math.max(20, columns - line.columns());
    return line.add(style, SafeText.cut(cells.get(last), room));
  }
}
