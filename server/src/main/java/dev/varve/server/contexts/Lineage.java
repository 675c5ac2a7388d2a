// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The children of contexts. Found by one look at every context when somebody first asks, and kept
/// up to date from then on, so that an answer costs what it has in it.
///
/// While contexts are looked at, what is known so far is answered, and said to be incomplete.
final class Lineage {

  /// How long somebody waits before it is made sure once more that there is something to wait for.
  private static final long STEP_MS = 20;

  // ---- guarded by this
  private ChildTable table = new ChildTable();
  private boolean isAsked;
  private boolean isComplete;
  private long generation;

  /// Some children of a context, by their numbers.
  ///
  /// @param count how many there are
  /// @param isComplete whether all contexts were looked at
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Children(long[] ids, int count, boolean isComplete) {}

  synchronized Children of(long parent, int limit) {
    return new Children(table.children(parent, limit), table.count(parent), isComplete);
  }

  /// Whether somebody wants to know and not all contexts were looked at.
  synchronized boolean isWanted() {
    return isAsked && !isComplete;
  }

  /// Whether links are kept: nothing is, before the first look at all contexts has begun.
  synchronized boolean isFollowed() {
    return generation > 0;
  }

  /// Waits until all contexts were looked at, or the time is over.
  ///
  /// @param look begins with that, or sees that it goes on
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
        look.run(); // again and again: one that had another purpose may be at its end just now
      } while (!isCompleteBy(end));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the answer is what is known by now
    }
  }

  /// Waits for at most a step.
  ///
  /// @return whether all contexts were looked at, or the time is over
  private synchronized boolean isCompleteBy(long endNanos) throws InterruptedException {
    long stepEnd = System.nanoTime() + STEP_MS * 1_000_000;
    for (long left = Math.min(endNanos - System.nanoTime(), STEP_MS * 1_000_000);
        !isComplete && left > 0;
        left = Math.min(endNanos - System.nanoTime(), stepEnd - System.nanoTime())) {
      wait(Math.max(1, left / 1_000_000));
    }
    return isComplete || endNanos - System.nanoTime() <= 0;
  }

  // ---- a look at all contexts

  /// @return what to give to [#found] and [#end]
  synchronized long begin() {
    return ++generation;
  }

  /// What a look found. What was told meanwhile is newer, and stays.
  synchronized void found(long look, long child, @Nullable Long parent) {
    if (look == generation && parent != null && table.parent(child) == 0) {
      table.put(child, parent);
    }
  }

  /// All contexts were looked at.
  synchronized void end(long look) {
    if (look == generation) {
      isComplete = true;
      notifyAll();
    }
  }

  // ---- what happens

  /// A context says now where it comes from.
  synchronized void put(long child, @Nullable Long parent) {
    table.put(child, parent == null ? 0 : parent);
  }

  /// What contexts say may have changed; all is to be looked at again.
  synchronized void forget() {
    if (generation > 0) {
      generation++;
      isComplete = false;
      table = new ChildTable();
    }
  }
}
