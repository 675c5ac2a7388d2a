// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// `docs/configuration.md` lists every option and every limit with its default, and nothing else.
class ConfigurationPageTest {

  private static Map<String, String> told(String heading) throws IOException {
    Path page = Path.of(System.getProperty("root.dir"), "docs", "configuration.md");
    String section =
        Files.readString(page).split("\n## " + heading + "\n", 2)[1].split("\n## ", 2)[0];
    Map<String, String> rows = new LinkedHashMap<>();
    for (String line : section.lines().toList()) {
      if (line.startsWith("| `")) {
        String[] cells = line.split("\\|");
        rows.put(cells[1].strip().replace("`", ""), cells[2].strip().replace("`", ""));
      }
    }
    return rows;
  }

  private static Map<String, String> inCode(Record defaults) throws ReflectiveOperationException {
    Map<String, String> values = new LinkedHashMap<>();
    for (RecordComponent component : defaults.getClass().getRecordComponents()) {
      Object value = component.getAccessor().invoke(defaults);
      values.put(
          component.getName(), value instanceof StoreLimits ? "see below" : String.valueOf(value));
    }
    return values;
  }

  @Test
  void everyOptionIsToldWithItsDefault() throws Exception {
    assertThat(told("StoreOptions")).isEqualTo(inCode(StoreOptions.DEFAULTS));
  }

  @Test
  void everyLimitIsToldWithItsDefault() throws Exception {
    assertThat(told("Limits")).isEqualTo(inCode(StoreLimits.DEFAULTS));
  }

  @Test
  void theBoundsThatThePageTellsAreKept() {
    StoreOptions options = StoreOptions.DEFAULTS;
    assertThat(options.withZstdLevel(1).withZstdLevel(19).withBlobCacheBytes(0)).isNotNull();
    assertThatThrownBy(() -> options.withZstdLevel(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> options.withZstdLevel(20))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> options.withBlobCacheBytes(-1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(new StoreLimits(0, 1, 1)).isNotNull();
    assertThatThrownBy(() -> new StoreLimits(-1, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new StoreLimits(0, 0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new StoreLimits(0, 1, 0)).isInstanceOf(IllegalArgumentException.class);
  }
}
