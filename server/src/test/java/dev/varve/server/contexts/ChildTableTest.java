// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ChildTableTest {

  private static final long SEED = 20261128;

  @Test
  void itKnowsWhatAMapOfParentsKnows() {
    SplittableRandom random = new SplittableRandom(SEED);
    ChildTable table = new ChildTable();
    Map<Long, Long> parents = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      long child = random.nextInt(1, 200);
      long parent = random.nextInt(4) == 0 ? 0 : random.nextInt(1, 20);
      table.put(child, parent);
      parents.put(child, parent);
      long asked = random.nextInt(1, 20);
      long[] children =
          parents.entrySet().stream()
              .filter(entry -> entry.getValue() == asked)
              .mapToLong(Map.Entry::getKey)
              .sorted()
              .toArray();
      assertThat(table.children(asked, 1_000)).as("seed %d, step %d", SEED, i).isEqualTo(children);
      assertThat(table.count(asked)).isEqualTo(children.length);
      assertThat(table.parent(child)).isEqualTo(parent);
      int limit = random.nextInt(5);
      assertThat(table.children(asked, limit)).hasSize(Math.min(limit, children.length));
    }
  }

  @Test
  void linkedByNumberFromEitherEndTheFirstOnesAreTheSmallest() {
    ChildTable table = new ChildTable();
    for (long child = 9; child >= 2; child--) {
      table.put(child, 1);
    }
    table.put(10, 1);
    table.put(5_000_000, 1);

    assertThat(table.children(1, 3)).containsExactly(2, 3, 4);
    assertThat(table.count(1)).isEqualTo(10);
  }

  @Test
  void numbersBeyondAllContextsAreNobodys() {
    ChildTable table = new ChildTable();
    table.put(Long.MAX_VALUE, 1);
    table.put(2, Long.MAX_VALUE);
    table.put(3, -1);

    assertThat(table.count(1)).isZero();
    assertThat(table.count(Long.MAX_VALUE)).isZero();
    assertThat(table.children(-1, 5)).isEmpty();
    assertThat(table.parent(2)).isZero();
  }
}
