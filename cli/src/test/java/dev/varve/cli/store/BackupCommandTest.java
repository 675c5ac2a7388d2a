// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import static dev.varve.cli.Call.varve;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import dev.varve.cli.session.ExitCodes;
import dev.varve.hash.Blake3;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BackupCommandTest {

  @TempDir Path folder;

  @Test
  void theBackupIsAStoreAndTheNextOneCopiesWhatIsNew() throws IOException {
    Path store = DemoStore.in(folder);
    Path registry = Files.createDirectories(store.resolve("registry"));
    String bundle = "000001-" + Blake3.hash("{}".getBytes(UTF_8)) + ".json";
    Files.writeString(registry.resolve(bundle), "{}");
    Path backup = folder.resolve("deep").resolve("backup");

    Call.Result first = varve(store, "backup", backup.toString());
    Call.Result again = varve(store, "backup", backup.toString(), "--verify");

    assertThat(first.status()).isZero();
    assertThat(first.out()).startsWith("backed up ").contains(" altogether");
    assertThat(again.status()).isZero();
    assertThat(again.out()).contains(": 0 B new, ");
    assertThat(again.err()).contains("read back");
    assertThat(backup.resolve("registry").resolve(bundle)).hasContent("{}");
    assertThat(varve(backup, "check").status()).isZero();
    assertThat(varve(backup, "log", "2", "--json").out())
        .isEqualTo(varve(store, "log", "2", "--json").out());

    varve(store, "new", "--title", "later");
    assertThat(varve(store, "backup", backup.toString()).status()).isZero();
    assertThat(varve(backup, "contexts").out()).contains("later");
  }

  @Test
  void programsReadAReport() {
    Path store = DemoStore.in(folder);

    String json = varve(store, "backup", folder.resolve("backup").toString(), "--json").out();

    assertThat(json)
        .startsWith("{\"sound\":true,\"store_id\":\"")
        .contains("\"mended_bytes\":0", "\"newest_turn\":\"", "\"problems\":[]}");
  }

  @Test
  void damageIsNamedAndHasAStatusOfItsOwn() throws IOException {
    Path store = DemoStore.in(folder);
    String backup = folder.resolve("backup").toString();
    assertThat(varve(store, "backup", backup).status()).isZero();
    byte[] log = Files.readAllBytes(store.resolve("turns.meta"));
    log[30] ^= 1;
    Files.write(store.resolve("turns.meta"), log);
    Files.delete(store.resolve("checkpoint.tbl")); // which would heal the last block

    Call.Result refused = varve(store, "backup", backup);
    Call.Result verified = varve(store, "backup", backup, "--verify");

    assertThat(refused.status()).isEqualTo(ExitCodes.DAMAGED);
    assertThat(refused.err()).contains("turns.meta at byte 30", "varve backup --verify");
    assertThat(verified.status()).isEqualTo(ExitCodes.DAMAGED);
    assertThat(verified.out()).contains("damaged in the store, whole in the backup");
    assertThat(varve(Path.of(backup), "check").status()).isZero();
  }

  @Test
  void whatIsNoFolderForABackupIsRefused() throws IOException {
    Path store = DemoStore.in(folder);
    Path other = Files.createDirectories(folder.resolve("other"));
    Files.writeString(other.resolve("letter.txt"), "mine");

    assertThat(varve(store, "backup", store.resolve("copy").toString()).status())
        .isEqualTo(ExitCodes.USAGE);
    assertThat(varve(store, "backup", other.toString()).status()).isEqualTo(ExitCodes.USAGE);
    assertThat(varve(store, "backup").status()).isEqualTo(ExitCodes.USAGE);
    assertThat(varve(folder.resolve("none"), "backup", other.toString()).status())
        .isEqualTo(ExitCodes.NOT_FOUND);
    assertThat(other.resolve("letter.txt")).hasContent("mine");
  }
}
