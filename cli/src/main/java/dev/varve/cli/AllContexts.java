// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.ContextHead;
import dev.varve.Store;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// The contexts of a store, the most recently active first, read a page at a time as they are asked
/// for.
final class AllContexts implements Iterable<ContextHead> {

  private final Store store;
  private final int pageSize;

  /// @param pageSize how many to read at once: about as many as will be wanted
  AllContexts(Store store, int pageSize) {
    this.store = store;
    this.pageSize = Math.clamp(pageSize, 1, 1_000);
  }

  @Override
  public Iterator<ContextHead> iterator() {
    return new Pages();
  }

  private final class Pages implements Iterator<ContextHead> {

    private final Queue<ContextHead> page = new ArrayDeque<>();
    private @Nullable ContextHead last;
    private boolean ended;

    @Override
    public boolean hasNext() {
      if (page.isEmpty() && !ended) {
        List<ContextHead> next = store.contexts(last == null ? null : last.id(), pageSize);
        page.addAll(next);
        ended = next.size() < pageSize;
      }
      return !page.isEmpty();
    }

    @Override
    public ContextHead next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      last = page.remove();
      return last;
    }
  }
}
