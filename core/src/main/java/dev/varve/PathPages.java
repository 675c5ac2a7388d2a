// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/// The turns of a context up to the head that the context has at the beginning, root first. They
/// are read page by page, as they are asked for. For one thread.
final class PathPages implements Iterator<Turn> {

  private static final int PAGE_TURNS = 64;

  private final Store store;
  private final ContextHead head;
  private final View view;
  private final int end;
  private int depth;
  private List<Turn> page = List.of();
  private int next;
  private boolean moved;

  PathPages(Store store, ContextHead head, View view) {
    this.store = store;
    this.head = head;
    this.view = view;
    this.end = head.head().isNone() ? 0 : head.headDepth() + 1;
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
    Turn turn =
        next < page.size()
            ? page.get(next++)
            : store.turn(store.ancestor(head.head(), depth), view);
    depth++;
    return turn;
  }

  /// The next turns; none once somebody has moved the head to another branch, whose turns the
  /// context then gives.
  private List<Turn> readPage() {
    int limit = Math.min(PAGE_TURNS, end - depth);
    List<Turn> turns = store.range(head.id(), depth, limit, view).turns();
    moved =
        turns.size() != limit
            || !turns.getLast().id().equals(store.ancestor(head.head(), depth + limit - 1));
    return moved ? List.of() : turns;
  }
}
