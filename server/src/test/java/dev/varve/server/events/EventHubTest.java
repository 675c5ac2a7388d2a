// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.Overlay;
import dev.varve.TurnId;
import dev.varve.server.events.EventHub.NumberedEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class EventHubTest {

  private final EventHub hub = new EventHub("run", 3, 2, 4);

  private void publish(int count) {
    for (int i = 0; i < count; i++) {
      hub.on(new ServerEvent.TurnOverlaid(new TurnId(1), i, Overlay.Kind.PATCH));
    }
  }

  private static List<Long> waiting(Subscription subscription) throws InterruptedException {
    List<Long> numbers = new ArrayList<>();
    Optional<NumberedEvent> next = subscription.next(Duration.ZERO);
    while (next.isPresent()) {
      numbers.add(next.get().seq());
      next = subscription.next(Duration.ZERO);
    }
    return numbers;
  }

  private Subscription subscribe(OptionalLong after) {
    return hub.subscribe(after).orElseThrow();
  }

  @Test
  void aNewSubscriberHearsWhatHappensFromNowOn() throws InterruptedException {
    publish(2);
    Subscription subscription = subscribe(OptionalLong.empty());
    publish(2);

    assertThat(subscription.seqBefore()).isEqualTo(2);
    assertThat(waiting(subscription)).containsExactly(3L, 4L);
    assertThat(subscription.hasGap()).isFalse();
  }

  @Test
  void whoComesBackHearsWhatWasMissed() throws InterruptedException {
    publish(5);

    assertThat(waiting(subscribe(OptionalLong.of(3)))).containsExactly(4L, 5L);
    Subscription caughtUp = subscribe(OptionalLong.of(5));
    assertThat(waiting(caughtUp)).isEmpty();
    assertThat(caughtUp.hasGap()).isFalse();
  }

  @Test
  void whoWasAwayTooLongIsToldOfTheGap() throws InterruptedException {
    publish(5);

    Subscription late = subscribe(OptionalLong.of(1));
    assertThat(late.hasGap()).isTrue();
    assertThat(waiting(late)).containsExactly(3L, 4L, 5L);
    assertThat(subscribe(OptionalLong.of(99)).hasGap()).as("a number of another run").isTrue();
  }

  @Test
  void whoIsTooSlowIsDroppedAndTheOthersGoOn() throws InterruptedException {
    AtomicInteger told = new AtomicInteger();
    Subscription slow = subscribe(OptionalLong.empty());
    slow.whenTooSlow(told::incrementAndGet);
    Subscription quick = subscribe(OptionalLong.empty());

    publish(4);
    waiting(quick);
    publish(4);

    assertThat(slow.state()).isEqualTo(Subscription.State.TOO_SLOW);
    assertThat(told).hasValue(1);
    assertThat(waiting(slow)).as("what it has not read is forgotten").isEmpty();
    assertThat(quick.state()).isEqualTo(Subscription.State.OPEN);
    assertThat(waiting(quick)).containsExactly(5L, 6L, 7L, 8L);
  }

  @Test
  void thereAreNoMoreSubscribersThanThereMayBe() {
    Subscription first = subscribe(OptionalLong.empty());
    subscribe(OptionalLong.empty());

    assertThat(hub.subscribe(OptionalLong.empty())).isEmpty();
    first.close();
    assertThat(hub.subscribe(OptionalLong.empty())).isPresent();
  }

  @Test
  void closingEndsAllAndLetsNobodyIn() throws InterruptedException {
    Subscription subscription = subscribe(OptionalLong.empty());

    hub.close();

    assertThat(subscription.next(Duration.ofMinutes(1))).isEmpty();
    assertThat(subscription.state()).isEqualTo(Subscription.State.ENDED);
    assertThat(hub.subscribe(OptionalLong.empty())).isEmpty();
  }
}
