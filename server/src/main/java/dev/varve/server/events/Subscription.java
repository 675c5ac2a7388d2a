// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.events;

import dev.varve.server.events.EventHub.Numbered;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One listener's place in the [EventHub]. Its monitor guards the queue; one thread takes from it.
public final class Subscription implements AutoCloseable {

  /// How a subscription stands.
  public enum State {
    OPEN,
    /// The listener was too slow; what came since is not in its queue.
    TOO_SLOW,
    /// The server stops.
    ENDED
  }

  private final EventHub hub;
  private final Deque<Numbered> queue;
  private final boolean gap;
  private final int queueMax;
  private final long seqBefore;
  private State state = State.OPEN;
  private @Nullable Runnable whenTooSlow;

  Subscription(EventHub hub, List<Numbered> missed, boolean gap, int queueMax, long seqBefore) {
    this.hub = hub;
    this.queue = new ArrayDeque<>(missed);
    this.gap = gap;
    this.queueMax = queueMax;
    this.seqBefore = seqBefore;
  }

  /// Whether some of the missed events are no longer kept, or were of another run.
  public boolean hasGap() {
    return gap;
  }

  /// The number of the event before the first one that is handed out; 0 for none.
  public long seqBefore() {
    return seqBefore;
  }

  /// What to do, once, when the listener turns out to be too slow. Called by the thread that
  /// publishes: must be quick.
  public synchronized void whenTooSlow(Runnable action) {
    whenTooSlow = action;
  }

  synchronized void offer(Numbered event) {
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

  /// The next event; empty when none came in time or the subscription is over, which [#state()]
  /// tells.
  public synchronized Optional<Numbered> next(Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
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
