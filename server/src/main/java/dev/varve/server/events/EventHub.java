// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.events;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;

/// The distribution of numbered events to all subscribers. The newest events are kept for
/// subscribers that reconnect.
///
/// A publisher never waits for a subscriber: a subscriber whose queue is full gets a last event
/// about this, and nothing more. The number of kept events, the number of subscribers and the
/// length of their queues bound the memory.
///
/// Lock: the hub's monitor guards the numbers, the kept events, and the order in which queues are
/// filled.
public final class EventHub implements EventListener, AutoCloseable {

  /// An event and its number.
  ///
  /// @param seq rises by one with each event of this run, from 1
  public record NumberedEvent(long seq, ServerEvent event) {}

  private final String run;
  private final int keptMax;
  private final int subscribersMax;
  private final int queueMax;
  private final Deque<NumberedEvent> kept = new ArrayDeque<>();
  private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
  private long seq;
  private boolean closed;

  /// @param run identifies this run of the server, so that a number of an earlier run is not
  ///   mistaken for one of this run
  /// @param keptMax how many events can be replayed
  /// @param queueMax how many events a subscriber may be behind
  public EventHub(String run, int keptMax, int subscribersMax, int queueMax) {
    this.run = run;
    this.keptMax = keptMax;
    this.subscribersMax = subscribersMax;
    this.queueMax = queueMax;
  }

  public String run() {
    return run;
  }

  /// The number of subscribers.
  public int subscribers() {
    return subscriptions.size();
  }

  @Override
  public void on(ServerEvent event) {
    synchronized (this) {
      if (closed) {
        return;
      }
      NumberedEvent numbered = new NumberedEvent(++seq, event);
      kept.addLast(numbered);
      if (kept.size() > keptMax) {
        kept.removeFirst();
      }
      for (Subscription subscription : subscriptions) {
        subscription.offer(numbered);
      }
    }
  }

  /// Subscribes to events from now on, or to those after `after`, as far as they are kept.
  ///
  /// @param after the last event the subscriber has seen, of this run
  /// @return empty if the limit of subscribers is reached, or the hub is closed
  public Optional<Subscription> subscribe(OptionalLong after) {
    synchronized (this) {
      if (closed || subscriptions.size() >= subscribersMax) {
        return Optional.empty();
      }
      List<NumberedEvent> missed = new ArrayList<>();
      boolean gap = false;
      if (after.isPresent()) {
        long last = after.getAsLong();
        gap = last > seq || last + 1 < (kept.isEmpty() ? seq + 1 : kept.getFirst().seq());
        kept.stream().filter(each -> each.seq() > last).forEach(missed::add);
      }
      Subscription subscription =
          new Subscription(
              this,
              missed,
              gap,
              queueMax + missed.size(),
              missed.isEmpty() ? seq : missed.getFirst().seq() - 1);
      subscriptions.add(subscription);
      return Optional.of(subscription);
    }
  }

  void leave(Subscription subscription) {
    subscriptions.remove(subscription);
  }

  /// Ends all subscriptions.
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      subscriptions.forEach(Subscription::end);
    }
  }
}
