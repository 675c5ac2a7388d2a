// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.events;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;

/// Hands every event, numbered, to all who have subscribed, and keeps the newest for those who come
/// back.
///
/// Nobody waits for a subscriber: one whose queue is full is told so and gets nothing more. Memory
/// is bounded by the number of events kept, the number of subscribers and the length of their
/// queues.
///
/// Lock: the hub's monitor guards the numbers, what is kept, and the order in which queues are
/// filled.
public final class EventHub implements EventListener, AutoCloseable {

  /// @param seq rises by one with each event of this run, from 1
  public record Numbered(long seq, ServerEvent event) {}

  private final String run;
  private final int keptMax;
  private final int subscribersMax;
  private final int queueMax;
  private final Deque<Numbered> kept = new ArrayDeque<>();
  private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
  private long seq;
  private boolean closed;

  /// @param run names this run of the server, so that a number of an earlier run is not taken for
  ///   one of this
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

  /// How many have subscribed.
  public int subscribers() {
    return subscriptions.size();
  }

  @Override
  public void on(ServerEvent event) {
    synchronized (this) {
      if (closed) {
        return;
      }
      Numbered numbered = new Numbered(++seq, event);
      kept.addLast(numbered);
      if (kept.size() > keptMax) {
        kept.removeFirst();
      }
      for (Subscription subscription : subscriptions) {
        subscription.offer(numbered);
      }
    }
  }

  /// Events from now on, or from behind `after` on, as far as they are kept.
  ///
  /// @param after the last event the subscriber has seen, of this run
  /// @return empty if there are as many subscribers as there may be, or the hub is closed
  public Optional<Subscription> subscribe(OptionalLong after) {
    synchronized (this) {
      if (closed || subscriptions.size() >= subscribersMax) {
        return Optional.empty();
      }
      List<Numbered> missed = new ArrayList<>();
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
