// SPDX-License-Identifier: Apache-2.0
package dev.varve.copy;

import dev.varve.BulkStore;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.StoreException;
import dev.varve.TurnId;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// The contexts of a copy. Both stores list their contexts from the greatest number down, so that
/// contexts that have not changed cost a line of a page, and no question of their own.
final class ContextCopy {

  private final BulkStore source;
  private final BulkStore target;
  private final BlobCopy blobs;
  private final CopiedTurns turns;
  private final CopyBatch batch;
  private long made;
  private long moved;

  ContextCopy(
      BulkStore source, BulkStore target, BlobCopy blobs, CopiedTurns turns, CopyBatch batch) {
    this.source = source;
    this.target = target;
    this.blobs = blobs;
    this.turns = turns;
    this.batch = batch;
  }

  /// The contexts of a store, from the greatest number down, read page by page.
  private static final class Falling {
    private final BulkStore store;
    private final int pageContexts;
    private final Deque<ContextHead> page = new ArrayDeque<>();
    private @Nullable ContextId last;
    private boolean ended;

    Falling(BulkStore store, int pageContexts) {
      this.store = store;
      this.pageContexts = pageContexts;
    }

    /// The next context, which stays the next; null at the end.
    @Nullable ContextHead peek() {
      if (page.isEmpty() && !ended) {
        page.addAll(store.contextsBelow(last, pageContexts));
        ended = page.isEmpty();
        if (!ended) {
          last = page.getLast().id();
        }
      }
      return page.peek();
    }

    /// The context of a number, if the store has it. Numbers are asked for from the greatest down.
    @Nullable ContextHead find(ContextId id) {
      ContextHead next = peek();
      while (next != null && next.id().compareTo(id) > 0) {
        page.remove();
        next = peek();
      }
      return next != null && next.id().equals(id) ? next : null;
    }
  }

  /// Makes the contexts that the copy lacks, and moves those that went on.
  ///
  /// @return whether contexts have heads that were appended during this round
  boolean copyAll() {
    boolean behind = false;
    Falling originals = new Falling(source, batch.items());
    Falling copies = new Falling(target, batch.items());
    for (ContextHead next = originals.peek(); next != null; next = originals.peek()) {
      originals.page.remove();
      behind |= !copy(next, copies.find(next.id()));
    }
    return behind;
  }

  /// Returns whether the head of a context is in the copy by now.
  private boolean copy(ContextHead original, @Nullable ContextHead copied) {
    if (original.equals(copied)) {
      return true;
    }
    ContextHead context = withoutErased(original);
    if (!context.head().isNone() && !turns.isThere(context.head())) {
      return false;
    }
    if (context.about() != null) {
      blobs.demand(context.about());
    }
    if (copied == null) {
      target.restoreContext(
          context.id(),
          context.head(),
          context.base(),
          context.createdAt(),
          context.activeAt(),
          context.about());
      made++;
    } else if (!copied.equals(context)) {
      move(copied, context);
    }
    return true;
  }

  private void move(ContextHead copied, ContextHead context) {
    if (!copied.createdAt().equals(context.createdAt()) || !copied.base().equals(context.base())) {
      throw new StoreException.Conflict(
          "the copy", "context " + context.id() + " of the source", "another context");
    }
    TurnId head = copied.head();
    if (!head.isNone()) {
      turns.requireSame(head);
    }
    target.moveContext(context.id(), head, context.head(), context.activeAt(), context.about());
    moved++;
  }

  /// A context as the copy has it: without a description that was erased.
  private ContextHead withoutErased(ContextHead context) {
    return context.about() == null || !turns.isErased(context.about())
        ? context
        : new ContextHead(
            context.id(),
            context.head(),
            context.headDepth(),
            context.base(),
            context.createdAt(),
            context.activeAt(),
            null);
  }

  long made() {
    return made;
  }

  long moved() {
    return moved;
  }
}
