// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The children of contexts. They are found by one pass over all contexts when a client first asks,
/// and kept up to date from then on, so that the cost of an answer depends on its size only.
///
/// During that pass, answers hold what is known so far and are marked as incomplete.
final class ContextLineage {

  /// The time for which a client waits before the pass is requested once more.
  private static final long STEP_MS = 20;

  // ---- guarded by this
  private ChildTable table = new ChildTable();
  private boolean isAsked;
  private boolean isComplete;
  private long generation;

  /// Children of a context, by their numbers.
  ///
  /// @param count the number of all children
  /// @param isComplete whether the pass has covered all contexts
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Children(long[] ids, int count, boolean isComplete) {}

  synchronized Children of(long parent, int limit) {
    return new Children(table.children(parent, limit), table.count(parent), isComplete);
  }

  /// Returns whether a client has asked and the pass has not covered all contexts.
  synchronized boolean isWanted() {
    return isAsked && !isComplete;
  }

  /// Returns whether new links are recorded: they are not before the first pass has begun.
  synchronized boolean isFollowed() {
    return generation > 0;
  }

  /// Waits until a pass has covered all contexts, or the time is over.
  ///
  /// @param look starts a pass, unless one is running
  void await(Duration time, Runnable look) {
    synchronized (this) {
      isAsked = true;
      if (isComplete) {
        return;
      }
    }
    long end = System.nanoTime() + time.toNanos();
    try {
      do {
        look.run(); // repeated, because a pass for another purpose may be ending at this moment
      } while (!isCompleteBy(end));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the answer holds what is known by now
    }
  }

  /// Waits for one step at most.
  ///
  /// @return whether a pass has covered all contexts, or the time is over
  private synchronized boolean isCompleteBy(long endNanos) throws InterruptedException {
    long stepEnd = System.nanoTime() + STEP_MS * 1_000_000;
    for (long left = Math.min(endNanos - System.nanoTime(), STEP_MS * 1_000_000);
        !isComplete && left > 0;
        left = Math.min(endNanos - System.nanoTime(), stepEnd - System.nanoTime())) {
      wait(Math.max(1, left / 1_000_000));
    }
    return isComplete || endNanos - System.nanoTime() <= 0;
  }

  // ---- a pass over all contexts

  /// @return the argument for [#found] and [#end]
  synchronized long begin() {
    return ++generation;
  }

  /// Records the parent that a pass found. A link that was recorded meanwhile is newer, and stays.
  synchronized void found(long look, long child, @Nullable Long parent) {
    if (look == generation && parent != null && table.parent(child) == 0) {
      table.put(child, parent);
    }
  }

  /// Records that the pass has covered all contexts.
  synchronized void end(long look) {
    if (look == generation) {
      isComplete = true;
      notifyAll();
    }
  }

  // ---- changes

  /// Records the parent that a context declares now.
  synchronized void put(long child, @Nullable Long parent) {
    table.put(child, parent == null ? 0 : parent);
  }

  /// Forgets everything, because metadata may have changed; a new pass is needed.
  synchronized void forget() {
    if (generation > 0) {
      generation++;
      isComplete = false;
      table = new ChildTable();
    }
  }
}
