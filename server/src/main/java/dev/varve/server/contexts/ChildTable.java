// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import java.util.Arrays;

/// Which contexts come from which: for each its parent, and its children as a list that is linked
/// both ways. Takes 24 bytes a context. For one thread at a time.
///
/// A child that is found later stands in front if it has a smaller number than the first, else
/// behind; so lists are in the order of numbers but where a context has changed its parent.
final class ChildTable {

  /// Greater numbers have no place here; a store would have to make a thousand million contexts.
  private static final int NUMBER_MAX = 1 << 30;

  private final Column parents = new Column();
  private final Column firsts = new Column();
  private final Column lasts = new Column();
  private final Column nexts = new Column();
  private final Column previouses = new Column();
  private final Column counts = new Column();

  /// Numbers by number, in pages that are made when something is put there. 0 is nothing.
  private static final class Column {
    private static final int PAGE = 4096;
    private int[][] pages = {};

    int get(int at) {
      int page = at / PAGE;
      return page >= pages.length || pages[page] == null ? 0 : pages[page][at % PAGE];
    }

    void set(int at, int value) {
      int page = at / PAGE;
      if (page >= pages.length) {
        pages = Arrays.copyOf(pages, Math.max(page + 1, pages.length * 2));
      }
      if (pages[page] == null) {
        pages[page] = new int[PAGE];
      }
      pages[page][at % PAGE] = value;
    }
  }

  private static boolean isKnown(long number) {
    return number > 0 && number < NUMBER_MAX;
  }

  /// The parent of a context, 0 if none was put.
  long parent(long child) {
    return isKnown(child) ? parents.get((int) child) : 0;
  }

  /// Says where a context comes from, in place of what was said before.
  ///
  /// @param parentId 0 for none
  void put(long childId, long parentId) {
    if (!isKnown(childId) || parentId == parent(childId)) {
      return;
    }
    int child = (int) childId;
    unlink(child);
    if (isKnown(parentId)) {
      link(child, (int) parentId);
    }
  }

  private void unlink(int child) {
    int parent = parents.get(child);
    if (parent == 0) {
      return;
    }
    int next = nexts.get(child);
    int previous = previouses.get(child);
    if (previous == 0) {
      firsts.set(parent, next);
    } else {
      nexts.set(previous, next);
    }
    if (next == 0) {
      lasts.set(parent, previous);
    } else {
      previouses.set(next, previous);
    }
    counts.set(parent, counts.get(parent) - 1);
    parents.set(child, 0);
  }

  private void link(int child, int parent) {
    int first = firsts.get(parent);
    int last = lasts.get(parent);
    boolean inFront = first != 0 && child < first;
    int previous = inFront ? 0 : last;
    int next = inFront ? first : 0;
    parents.set(child, parent);
    previouses.set(child, previous);
    nexts.set(child, next);
    if (previous == 0) {
      firsts.set(parent, child);
    } else {
      nexts.set(previous, child);
    }
    if (next == 0) {
      lasts.set(parent, child);
    } else {
      previouses.set(next, child);
    }
    counts.set(parent, counts.get(parent) + 1);
  }

  int count(long parent) {
    return isKnown(parent) ? counts.get((int) parent) : 0;
  }

  /// The children of a context, the first `limit` of its list, by their numbers.
  long[] children(long parent, int limit) {
    long[] children = new long[Math.min(limit, count(parent))];
    int child = children.length == 0 ? 0 : firsts.get((int) parent);
    for (int i = 0; i < children.length; i++) {
      children[i] = child;
      child = nexts.get(child);
    }
    Arrays.sort(children);
    return children;
  }
}
