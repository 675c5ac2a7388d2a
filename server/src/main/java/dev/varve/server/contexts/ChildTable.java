// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import java.util.Arrays;

/// The parent of each context, and the children of each context as a doubly linked list. Takes 24
/// bytes for each context. For one thread at a time.
///
/// A child is inserted at the front if its number is smaller than the first one's, otherwise at the
/// end; lists are therefore in the order of numbers, except where a context has changed its parent.
final class ChildTable {

  /// The greatest number with a place in the table; a store would have to create a thousand million
  /// contexts to exceed this number.
  private static final int NUMBER_MAX = 1 << 30;

  private final IntColumn parents = new IntColumn();
  private final IntColumn firsts = new IntColumn();
  private final IntColumn lasts = new IntColumn();
  private final IntColumn nexts = new IntColumn();
  private final IntColumn previouses = new IntColumn();
  private final IntColumn counts = new IntColumn();

  private static boolean isKnown(long number) {
    return number > 0 && number < NUMBER_MAX;
  }

  /// The parent of a context, 0 for none.
  long parent(long child) {
    return isKnown(child) ? parents.get((int) child) : 0;
  }

  /// Sets the parent of a context.
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
