// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class HomeFolderTest {

  @Test
  void theVariableCountsBeforeThePasswordFileAsItDoesForGit() {
    assertThat(HomeFolder.folder("/h/./ome", "/root")).isEqualTo(Path.of("/h/ome"));
    assertThat(HomeFolder.folder(null, "/root")).isEqualTo(Path.of("/root"));
    assertThat(HomeFolder.folder("", "/root")).isEqualTo(Path.of("/root"));
    assertThat(HomeFolder.folder("not/absolute", "/root")).isEqualTo(Path.of("/root"));
    assertThat(HomeFolder.folder("/no\0path", "/root")).isEqualTo(Path.of("/root"));
  }
}
