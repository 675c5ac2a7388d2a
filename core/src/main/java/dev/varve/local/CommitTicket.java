// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.StoreException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A change on its way through the committer, and the caller who waits for it.
final class CommitTicket {

  private final Committer.Change change;
  private final Thread caller = Thread.currentThread();
  private long number;
  private @Nullable RuntimeException refusal;
  private volatile boolean done;

  CommitTicket(Committer.Change change) {
    this.change = change;
  }

  /// Puts the change into a draft. A refusal concerns this change alone.
  void plan(CommitDraft draft) {
    try {
      number = change.plan(draft);
    } catch (StoreException | IllegalArgumentException e) {
      refusal = e;
    }
  }

  /// The commit failed. A change that was refused before stays refused for its own reason.
  void fail(RuntimeException cause) {
    if (refusal == null) {
      refusal = cause;
    }
  }

  /// Wakes the callers of a batch.
  static void finish(List<CommitTicket> batch) {
    batch.forEach(CommitTicket::finish);
  }

  void finish() {
    done = true;
    if (caller != Thread.currentThread()) {
      LockSupport.unpark(caller);
    }
  }

  /// Waits until the change is done. An interrupt does not end the wait, since an accepted change
  /// is finished; the interrupt stays pending.
  long await() {
    boolean interrupted = false;
    while (!done) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      caller.interrupt();
    }
    return result();
  }

  long result() {
    if (refusal != null) {
      throw refusal;
    }
    return number;
  }
}
