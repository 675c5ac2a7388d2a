// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.terminal;

import dev.varve.TurnId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Draws a tree of turns from its leaves to its root, a row a turn, in the manner of `git log
/// --graph`.
///
/// Each column holds the turn that is drawn next in it. A turn that several columns wait for is
/// where they fork: a row before it joins them.
public final class TurnGraph {

  /// @param joined a row to draw before, where branches meet
  /// @param drawn the row of the turn itself
  public record Row(Optional<String> joined, String drawn) {}

  private final List<TurnId> columns = new ArrayList<>();
  private final Glyphs glyphs;

  private record Glyphs(
      String turn, String line, String fork, String dash, String cross, String end, String more) {}

  /// @param lines whether the line characters of Unicode may be used
  public TurnGraph(boolean lines) {
    glyphs =
        lines
            ? new Glyphs("●", "│", "├", "─", "┼", "╯", "┴")
            : new Glyphs("*", "|", "|", "-", "+", "'", "'");
  }

  /// The next turn. Children come before their parents.
  public Row row(TurnId turn, TurnId parent) {
    int own = columns.indexOf(turn);
    if (own < 0) {
      own = freeColumn();
      columns.set(own, turn);
    }
    int last = columns.lastIndexOf(turn);
    Optional<String> joined = own == last ? Optional.empty() : Optional.of(join(turn, own, last));
    for (int i = own + 1; i <= last; i++) {
      if (columns.get(i).equals(turn)) {
        columns.set(i, TurnId.NONE);
      }
    }
    String drawn = draw(own);
    columns.set(own, parent);
    while (!columns.isEmpty() && columns.getLast().isNone()) {
      columns.removeLast();
    }
    return new Row(joined, drawn);
  }

  private int freeColumn() {
    int free = columns.indexOf(TurnId.NONE);
    if (free >= 0) {
      return free;
    }
    columns.add(TurnId.NONE);
    return columns.size() - 1;
  }

  private String draw(int own) {
    StringBuilder row = new StringBuilder();
    for (int i = 0; i < columns.size(); i++) {
      boolean free = columns.get(i).isNone();
      row.append(i == own ? glyphs.turn : free ? " " : glyphs.line).append(' ');
    }
    return row.toString().stripTrailing();
  }

  private String join(TurnId turn, int own, int last) {
    StringBuilder row = new StringBuilder();
    for (int i = 0; i < columns.size(); i++) {
      TurnId waiting = columns.get(i);
      boolean between = i > own && i < last;
      if (waiting.equals(turn)) {
        row.append(i == own ? glyphs.fork : i == last ? glyphs.end : glyphs.more);
      } else if (waiting.isNone()) {
        row.append(between ? glyphs.dash : " ");
      } else {
        row.append(between ? glyphs.cross : glyphs.line);
      }
      row.append(i >= own && i < last ? glyphs.dash : " ");
    }
    return row.toString().stripTrailing();
  }
}
