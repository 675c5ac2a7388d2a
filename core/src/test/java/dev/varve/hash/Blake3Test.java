// SPDX-License-Identifier: Apache-2.0
package dev.varve.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/// The contract without any accelerator, and what does not depend on one.
class Blake3Test extends Blake3Contract {

  @Test
  void hashesNothingToTheHashOfNothing() {
    assertThat(new Blake3().digest()).isEqualTo(Blake3.hash(new byte[0]));
    assertThat(new Blake3().sizeBytes()).isZero();
  }

  @Test
  void refusesARangeOutsideTheArray() {
    byte[] bytes = new byte[10];
    assertThatThrownBy(() -> Blake3.hash(bytes, 5, 6))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> new Blake3().update(bytes, -1, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
