// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class HomeTest {

  @Test
  void theVariableCountsBeforeThePasswordFileAsItDoesForGit() {
    assertThat(Home.folder("/h/./ome", "/root")).isEqualTo(Path.of("/h/ome"));
    assertThat(Home.folder(null, "/root")).isEqualTo(Path.of("/root"));
    assertThat(Home.folder("", "/root")).isEqualTo(Path.of("/root"));
    assertThat(Home.folder("not/absolute", "/root")).isEqualTo(Path.of("/root"));
    assertThat(Home.folder("/no\0path", "/root")).isEqualTo(Path.of("/root"));
  }
}
