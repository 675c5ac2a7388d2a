// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class CommitRhythmTest {

  private static final CommitRhythm RHYTHM =
      new CommitRhythm(Duration.ofSeconds(2), Duration.ofSeconds(60), 250);

  private static boolean isDue(int sinceLastSeconds, int sinceNewsSeconds, int turns) {
    return RHYTHM.isDue(
        Duration.ofSeconds(sinceLastSeconds), Duration.ofSeconds(sinceNewsSeconds), turns);
  }

  @Test
  void manyTurnsAreWrittenSoon() {
    assertThat(isDue(2, 0, 250)).isTrue();
    assertThat(isDue(1, 1, 10_000)).isFalse();
  }

  @Test
  void fewTurnsAreWrittenAfterAWhile() {
    assertThat(isDue(3600, 59, 1)).isFalse();
    assertThat(isDue(3600, 60, 1)).isTrue();
  }
}
