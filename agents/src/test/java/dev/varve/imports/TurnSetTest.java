// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TurnSetTest {

  @Test
  void aTurnIsInASetOnce() {
    SplittableRandom random = new SplittableRandom(2);
    TurnSet set = new TurnSet();
    Set<Long> model = new HashSet<>();
    for (int i = 0; i < 50_000; i++) {
      long turn =
          random.nextInt(3) == 0 ? random.nextLong(Long.MAX_VALUE) : random.nextLong(20_000);
      assertThat(set.add(turn)).isEqualTo(model.add(turn));
    }
  }
}
