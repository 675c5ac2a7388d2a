// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import dev.varve.cli.session.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Stores in folders of another user. Only root can give a folder away, and only root is refused:
/// where the tests run as any other user, the folder stays that user's, and nothing is refused.
final class FolderOwnerTest {

  private static final boolean IS_ROOT = "root".equals(System.getProperty("user.name"));
  private static final int OTHER = 65_534;

  @TempDir Path folder;
  private Path home;
  private Path store;

  @BeforeEach
  void makeStore() throws IOException {
    home = Files.createDirectory(folder.resolve("home"));
    store = home.resolve("s");
    assertThat(new Call().on(store, "new").status()).isZero();
    if (IS_ROOT) {
      for (Path each : List.of(home, store)) {
        Files.setAttribute(each, "unix:uid", OTHER);
      }
    }
  }

  private static void assertRefused(Call.Result result) {
    assertThat(result.status()).as(result.err()).isEqualTo(IS_ROOT ? ExitCodes.USAGE : 0);
    if (IS_ROOT) {
      assertThat(result.err())
          .contains(": expected a folder of root, found one of ")
          .contains("'sudo -u ")
          .contains("VARVE_AS_ROOT=1");
    }
  }

  @Test
  void rootIsRefusedAndMakesNoFile() throws IOException {
    List<Path> before = files();

    assertRefused(new Call().on(store, "contexts"));
    assertRefused(new Call().on(store, "retention", "set", "--older-than", "9d"));
    if (IS_ROOT) {
      assertThat(files()).isEqualTo(before);
    }
  }

  private List<Path> files() throws IOException {
    try (var files = Files.list(store)) {
      return files.sorted().toList();
    }
  }

  @Test
  void rootMayInsist() {
    assertThat(new Call().with("VARVE_AS_ROOT", "1").on(store, "contexts").status()).isZero();
  }

  @Test
  void aStoreThatIsStillAbsentIsTheOwnersOfTheFolderAboveAfterSudo() {
    assertRefused(new Call().with("SUDO_USER", "ann").on(home.resolve("a/b"), "new"));

    assertThat(new Call().on(home.resolve("c"), "new").status()).isZero();
  }

  @Test
  void aCopyIntoAnothersStoreIsRefused() {
    Path own = folder.resolve("own");
    assertThat(new Call().on(own, "new").status()).isZero();

    Call.Result copied = new Call().on(own, "copy", "--to", home.resolve("d").toString());
    assertThat(copied.status()).as(copied.err()).isZero();
    if (IS_ROOT) {
      assertRefused(new Call().on(own, "copy", "--to", store.toString()));
    }
  }
}
