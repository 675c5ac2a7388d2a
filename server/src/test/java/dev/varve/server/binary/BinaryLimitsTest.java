// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.client.RemoteOptions;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class BinaryLimitsTest {

  @Test
  void thePageNamesEveryLimitAndOption() throws IOException {
    String page =
        Files.readString(Path.of(System.getProperty("root.dir"), "docs", "configuration.md"));
    for (Class<?> settings : new Class<?>[] {BinaryLimits.class, RemoteOptions.class}) {
      String section =
          page.split("\n## " + settings.getSimpleName() + "\n", 2)[1].split("\n## ", 2)[0];
      for (RecordComponent component : settings.getRecordComponents()) {
        assertThat(section).contains("`" + component.getName() + "`");
      }
    }
  }

  @Test
  void limitsThatMakeNoSenseAreRefused() {
    BinaryLimits limits = BinaryLimits.DEFAULTS;

    assertThatThrownBy(() -> limits.withFrameBytes(BinaryLimits.FRAME_BYTES_MIN - 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> limits.withInFlight(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> limits.withConnections(0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
