// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.events;

import dev.varve.server.events.EventHub.NumberedEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The place of one listener in the [EventHub]. Its monitor guards the queue; one thread takes from
/// it.
public final class Subscription implements AutoCloseable {

  /// The state of a subscription.
  public enum State {
    OPEN,
    /// The listener was too slow; later events are not in its queue.
    TOO_SLOW,
    /// The server stops.
    ENDED
  }

  private final EventHub hub;
  private final Deque<NumberedEvent> queue;
  private final boolean gap;
  private final int queueMax;
  private final long seqBefore;
  private State state = State.OPEN;
  private @Nullable Runnable whenTooSlow;

  Subscription(
      EventHub hub, List<NumberedEvent> missed, boolean gap, int queueMax, long seqBefore) {
    this.hub = hub;
    this.queue = new ArrayDeque<>(missed);
    this.gap = gap;
    this.queueMax = queueMax;
    this.seqBefore = seqBefore;
  }

  /// Returns whether some missed events are no longer kept, or were of another run.
  public boolean hasGap() {
    return gap;
  }

  /// The number of the event before the first one that is handed out; 0 for none.
  public long seqBefore() {
    return seqBefore;
  }

  /// Sets an action that runs once, when the listener turns out to be too slow. The publishing
  /// thread calls it: it must be fast.
  public synchronized void whenTooSlow(Runnable action) {
    whenTooSlow = action;
  }

  synchronized void offer(NumberedEvent event) {
    if (state != State.OPEN) {
      return;
    }
    if (queue.size() >= queueMax) {
      state = State.TOO_SLOW;
      queue.clear();
      if (whenTooSlow != null) {
        whenTooSlow.run();
      }
    } else {
      queue.addLast(event);
    }
    notifyAll();
  }

  synchronized void end() {
    if (state == State.OPEN) {
      state = State.ENDED;
    }
    notifyAll();
  }

  public synchronized State state() {
    return state;
  }

  /// The next event; empty if none arrived in time or the subscription has ended, which [#state()]
  /// shows.
  public synchronized Optional<NumberedEvent> next(Duration timeout) throws InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (queue.isEmpty() && state == State.OPEN) {
      long millis = (deadline - System.nanoTime()) / 1_000_000;
      if (millis <= 0) {
        return Optional.empty();
      }
      wait(millis);
    }
    return Optional.ofNullable(queue.pollFirst());
  }

  @Override
  public void close() {
    hub.leave(this);
  }
}
