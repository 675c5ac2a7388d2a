// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.terminal.Terminal;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DataFolderTest {

  private static Path of(String system, Map<String, String> environment) {
    Terminal.Surroundings facts =
        new Terminal.Surroundings(
            "varve", environment, InstantSource.system(), ZoneOffset.UTC, false, false, false, 80);
    Terminal terminal =
        new Terminal(
            InputStream.nullInputStream(),
            OutputStream.nullOutputStream(),
            OutputStream.nullOutputStream(),
            facts);
    return DataFolder.of(terminal, system, "/users/java");
  }

  @Test
  void theDataFolderOfTheUserCountsMost() {
    assertThat(of("Linux", Map.of("XDG_DATA_HOME", "/x", "HOME", "/h")))
        .isEqualTo(Path.of("/x/varve"));
    assertThat(of("Linux", Map.of("HOME", "/h"))).isEqualTo(Path.of("/h/.local/share/varve"));
    assertThat(of("Linux", Map.of())).isEqualTo(Path.of("/users/java/.local/share/varve"));
  }

  @Test
  void aRelativeXdgFolderIsIgnoredAsItsSpecificationAsks() {
    assertThat(of("Linux", Map.of("XDG_DATA_HOME", "x", "HOME", "/h")))
        .isEqualTo(Path.of("/h/.local/share/varve"));
  }

  @Test
  void otherSystemsHaveTheirOwnPlaces() {
    assertThat(of("Mac OS X", Map.of("HOME", "/h")))
        .isEqualTo(Path.of("/h/Library/Application Support/varve"));
    assertThat(of("Windows 11", Map.of("LOCALAPPDATA", "/l"))).isEqualTo(Path.of("/l/varve"));
  }
}
