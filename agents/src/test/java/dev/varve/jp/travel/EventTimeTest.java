// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.travel;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventTimeTest {

  @Test
  void bothOfJpsSpellingsAreUnderstood() {
    assertThat(EventTime.of("2025-03-01 10:00:00.123456"))
        .contains(Instant.parse("2025-03-01T10:00:00.123456Z"));
    assertThat(EventTime.of("2025-03-01T12:00:00+02:00"))
        .contains(Instant.parse("2025-03-01T10:00:00Z"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "soon",
        "2025-03-01",
        "2025-03-01 ",
        "2025-13-01 10:00:00",
        "1950-01-01 00:00:00"
      })
  void whatIsNoTimeOfATurnIsLeftOut(String text) {
    assertThat(EventTime.of(text)).isEmpty();
  }
}
