// SPDX-License-Identifier: Apache-2.0
package dev.varve.vector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.hash.Blake3Lanes;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

/// What `core` finds, and that it never asks for more than the processor has.
class VectorLanesTest {

  @Test
  void isTheOneEngineThatCoreFinds() {
    assertThat(ServiceLoader.load(Blake3Lanes.class))
        .singleElement()
        .isInstanceOf(VectorLanes.class)
        .extracting(Blake3Lanes::name)
        .isEqualTo(Math.min(16, Widths.preferred()) + " lanes");
  }

  @Test
  void givesEachRowALaneOfItsOwn() {
    for (int count : new int[] {4, 8, 16}) {
      HashLanes lanes = HashLanes.of(Widths.species(count));
      boolean[] taken = new boolean[count];
      for (int row = 0; row < count; row++) {
        assertThat(taken[lanes.lane(row)]).as("row %d of %d", row, count).isFalse();
        taken[lanes.lane(row)] = true;
      }
    }
  }
}
