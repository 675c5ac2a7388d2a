// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.function.IntFunction;

/// The turns of a context up to the head that the context has at the beginning, root first. They
/// are read page by page, as they are asked for. For one thread.
final class PathPages implements Iterator<Turn> {

  private static final int PAGE_TURNS = 64;

  /// The turns of the context as it is now.
  interface PageSource {
    List<Turn> read(int startDepth, int limit);
  }

  private final int end;
  private final PageSource reader;
  private final IntFunction<TurnId> path;
  private final Function<TurnId, Turn> turns;
  private int depth;
  private List<Turn> page = List.of();
  private int next;
  private boolean moved;

  /// @param end the number of turns
  /// @param path the turn at a depth, on the path that the context had at the beginning
  PathPages(int end, PageSource reader, IntFunction<TurnId> path, Function<TurnId, Turn> turns) {
    this.end = end;
    this.reader = reader;
    this.path = path;
    this.turns = turns;
  }

  @Override
  public boolean hasNext() {
    return depth < end;
  }

  @Override
  public Turn next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    if (next == page.size()) {
      page = moved ? List.of() : readPage();
      next = 0;
    }
    Turn turn = next < page.size() ? page.get(next++) : turns.apply(path.apply(depth));
    depth++;
    return turn;
  }

  /// The next turns; none once somebody has moved the head to another branch, whose turns the
  /// context then gives.
  private List<Turn> readPage() {
    int limit = Math.min(PAGE_TURNS, end - depth);
    List<Turn> read = reader.read(depth, limit);
    moved = read.size() != limit || !read.getLast().id().equals(path.apply(depth + limit - 1));
    return moved ? List.of() : read;
  }
}
