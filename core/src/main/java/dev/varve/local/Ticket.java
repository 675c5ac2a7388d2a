// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.StoreException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A change on its way through the committer, and the caller who waits for it.
final class Ticket {

  private final Committer.Change change;
  private final Thread caller = Thread.currentThread();
  private long number;
  private @Nullable RuntimeException refusal;
  private List<Ticket> batch = List.of();
  private int place;
  private volatile boolean done;

  Ticket(Committer.Change change) {
    this.change = change;
  }

  /// Puts the change into a draft. A refusal concerns this change alone.
  void plan(Draft draft) {
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

  /// Wakes the callers of a batch. The first are woken here; each of them wakes two more, so that
  /// the committing thread goes on at once however many there are.
  static void finish(List<Ticket> batch) {
    for (int i = 0; i < batch.size(); i++) {
      Ticket ticket = batch.get(i);
      ticket.batch = batch;
      ticket.place = i;
    }
    for (Ticket ticket : batch) {
      ticket.done = true;
    }
    if (!batch.isEmpty()) {
      batch.getFirst().wake();
    }
  }

  void finish() {
    finish(List.of(this));
  }

  private void wake() {
    if (caller == Thread.currentThread()) {
      return;
    }
    LockSupport.unpark(caller);
  }

  private void wakeOthers() {
    int left = 2 * place + 1;
    if (left < batch.size()) {
      batch.get(left).wake();
    }
    if (left + 1 < batch.size()) {
      batch.get(left + 1).wake();
    }
  }

  /// Waits until the change is done. Not to be interrupted: what was accepted is finished. An
  /// interrupt stays pending.
  long await() {
    boolean interrupted = false;
    while (!done) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    wakeOthers();
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
