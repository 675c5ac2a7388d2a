// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.history.claude.ClaudeProfile;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SessionMemoryTest {

  private static final long MINUTE = Duration.ofMinutes(1).toNanos();

  private final SessionMemory memory = new SessionMemory(WatchPace.DEFAULTS);
  private final SessionMemory.Place place =
      new SessionMemory.Place(new WatchedHome(new ClaudeProfile(), Path.of("home")), "s");

  @Test
  void aSessionThatGrewIsDueOnceMoreWhenAllOfItIsCompared() {
    memory.archived(place, "stamps", true, true, 0);
    assertThat(memory.isDue(place, "stamps", 60 * MINUTE)).isFalse();
    assertThat(memory.isDue(place, "stamps", 61 * MINUTE)).isTrue();

    memory.archived(place, "stamps", true, false, 61 * MINUTE);
    assertThat(memory.isDue(place, "stamps", 200 * MINUTE)).isFalse();
  }

  @Test
  void aConfirmingLookDoesNotPutTheComparisonOff() {
    memory.archived(place, "stamps", false, true, 0);
    assertThat(memory.isDue(place, "stamps", MINUTE)).isTrue();

    memory.archived(place, "stamps", true, false, MINUTE);

    assertThat(memory.isDue(place, "stamps", 60 * MINUTE)).isFalse();
    assertThat(memory.isDue(place, "stamps", 61 * MINUTE)).isTrue();
  }
}
