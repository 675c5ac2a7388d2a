// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class StoreLimitsTest {

  private static final StoreLimits LIMITS = new StoreLimits(100, 10, 3);

  @Test
  void aPayloadAtTheLimitPassesAndOneByteMoreDoesNot() {
    assertThatCode(() -> LIMITS.checkPayload(0)).doesNotThrowAnyException();
    assertThatCode(() -> LIMITS.checkPayload(100)).doesNotThrowAnyException();
    assertThatThrownBy(() -> LIMITS.checkPayload(101))
        .isInstanceOf(StoreException.TooLarge.class)
        .hasMessage("payload: 101 is over the limit of 100");
    assertThatThrownBy(() -> LIMITS.checkPayload((1L << 32) + 1))
        .as("no number wraps around")
        .isInstanceOf(StoreException.TooLarge.class);
  }

  @Test
  void aPageHasFromZeroToItsLimitTurns() {
    assertThatCode(() -> LIMITS.checkPage(0)).doesNotThrowAnyException();
    assertThatCode(() -> LIMITS.checkPage(10)).doesNotThrowAnyException();
    assertThatThrownBy(() -> LIMITS.checkPage(11))
        .isInstanceOf(StoreException.TooLarge.class)
        .hasMessage("limit: 11 is over the limit of 10");
    assertThatThrownBy(() -> LIMITS.checkPage(-1))
        .isInstanceOf(StoreException.Invalid.class)
        .hasMessage("limit: expected 0 or more, found -1");
  }

  @Test
  void limitsThatAllowNothingAreNone() {
    assertThatCode(() -> new StoreLimits(0, 1, 1)).doesNotThrowAnyException();
    assertThatThrownBy(() -> new StoreLimits(-1, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new StoreLimits(1, 0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new StoreLimits(1, 1, 0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theDefaultsAreTheDocumentedOnes() {
    assertThat(StoreLimits.DEFAULTS).isEqualTo(new StoreLimits(268_435_456, 100_000, 100_000));
  }
}
