// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Who gets memory where it is short.
class MemoryBudgetTest {

  private static final int MIB = 1 << 20;
  private static final Duration NEVER = Duration.ofMinutes(10);

  private final AtomicInteger evictions = new AtomicInteger();

  private MemoryBudget.Lease waiting(
      MemoryBudget budget, int bytes, long lastStepNanos, boolean givesWay) {
    MemoryBudget.Lease lease = budget.lease();
    lease.growTo(bytes);
    lease.waits(() -> lastStepNanos, givesWay, evictions::incrementAndGet);
    return lease;
  }

  @Test
  void whoKeepsMemoryWaitingGivesWayAtOnce() {
    MemoryBudget budget = new MemoryBudget(8 * MIB, NEVER);
    long longAgo = System.nanoTime() - TimeUnit.SECONDS.toNanos(1);
    MemoryBudget.Lease slow = waiting(budget, 8 * MIB, longAgo, false);
    MemoryBudget.Lease mine = budget.lease();

    mine.growTo(2 * MIB);

    assertThat(evictions).hasValue(1);
    assertThat(slow.isEvicted()).isTrue();
    assertThatThrownBy(() -> slow.growTo(MIB)).isInstanceOf(StoreException.Busy.class);
    assertThatThrownBy(slow::works).isInstanceOf(StoreException.Busy.class);
    slow.close();
    assertThat(budget.freeBytes()).isEqualTo(6 * MIB);
    mine.close();
    assertThat(budget.freeBytes()).isEqualTo(8 * MIB);
  }

  @Test
  void theLargestThatIsComingInGivesWayToASmallerOneHoweverFastItIs() {
    MemoryBudget budget = new MemoryBudget(8 * MIB, NEVER);
    long ahead = System.nanoTime() + NEVER.toNanos();
    MemoryBudget.Lease larger = waiting(budget, 5 * MIB, ahead, true);
    MemoryBudget.Lease large = waiting(budget, 3 * MIB, ahead, true);

    budget.lease().growTo(MIB);

    assertThat(larger.isEvicted()).isTrue();
    assertThat(large.isEvicted()).isFalse();
  }

  @Test
  void whatIsWorkedOnOrTakenQuicklyIsWaitedForAndNoLongerThanSaid() {
    MemoryBudget budget = new MemoryBudget(4 * MIB, Duration.ofMillis(60));
    long ahead = System.nanoTime() + NEVER.toNanos();
    MemoryBudget.Lease works = waiting(budget, 2 * MIB, System.nanoTime() - NEVER.toNanos(), true);
    works.works();
    MemoryBudget.Lease quick = waiting(budget, 2 * MIB, ahead, false);

    assertThatThrownBy(() -> budget.lease().growTo(MIB)).isInstanceOf(StoreException.Busy.class);
    assertThat(evictions).hasValue(0);
    quick.close();
    budget.lease().growTo(MIB);
  }

  @Test
  void whoWaitsGoesOnWhenSomethingIsGivenBack() throws Exception {
    MemoryBudget budget = new MemoryBudget(MIB, NEVER);
    MemoryBudget.Lease first = budget.lease();
    first.growTo(MIB);
    FutureTask<Boolean> second =
        new FutureTask<>(
            () -> {
              try (MemoryBudget.Lease lease = budget.lease()) {
                lease.growTo(5L * MIB); // more than there is counts as all there is
                return true;
              }
            });
    Thread.ofVirtual().start(second);
    assertThat(second.isDone()).isFalse();
    first.close();

    assertThat(second.get(30, TimeUnit.SECONDS)).isTrue();
    assertThat(budget.freeBytes()).isEqualTo(MIB);
  }
}
