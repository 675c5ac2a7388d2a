// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

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
public final class AllContexts implements Iterable<ContextHead> {

  /// A store may look at all contexts for each page, so that later pages are large.
  private static final int PAGE_MAX = 10_000;

  private final Store store;
  private final int firstPage;

  /// @param firstPage how many to read at first: about as many as will be wanted
  public AllContexts(Store store, int firstPage) {
    this.store = store;
    this.firstPage = Math.clamp(firstPage, 1, PAGE_MAX);
  }

  @Override
  public Iterator<ContextHead> iterator() {
    return new Pages();
  }

  private final class Pages implements Iterator<ContextHead> {

    private final Queue<ContextHead> page = new ArrayDeque<>();
    private @Nullable ContextHead last;
    private int pageSize = firstPage;
    private boolean ended;

    @Override
    public boolean hasNext() {
      if (page.isEmpty() && !ended) {
        List<ContextHead> next = store.contexts(last == null ? null : last.id(), pageSize);
        page.addAll(next);
        ended = next.size() < pageSize;
        pageSize = Math.min(8 * pageSize, PAGE_MAX);
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
