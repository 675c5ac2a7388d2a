// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.cli.Call;
import dev.varve.cli.ServiceProcess;
import dev.varve.cli.session.ExitCodes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A service that applies the rules of retention by itself.
final class ServeRetentionTest {

  private static final int PATIENCE_SECONDS = 120;

  @TempDir Path folder;

  @Test
  void anOldConversationGoesAndLeavesAReceiptAndALineOfTheAuditLog() throws Exception {
    Path store = folder.resolve("s");
    Path session = folder.resolve("old.jsonl");
    Files.writeString(
        session,
        """
        {"type":"session","version":3,"id":"old","timestamp":"2024-01-05T09:00:00Z","cwd":"/src/shop"}
        {"type":"message","id":"00000001","parentId":null,"timestamp":"2024-01-05T09:00:00Z",\
        "message":{"role":"user","content":"old words"}}
        """);
    assertThat(new Call().on(store, "import", "pi", session.toString()).status()).isZero();
    new Call().on(store, "retention", "set", "--older-than", "400d");
    Path audit = folder.resolve("audit");
    Path talk = folder.resolve("talk");

    try (WatchService watch = store.getFileSystem().newWatchService()) {
      store.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
      Process service =
          ServiceProcess.start(
              store, talk, "--apply-retention", "1d", "--audit-log", audit.toString());
      try {
        waitFor(store.resolve("erasure-1.json"), watch);
        assertThat(new Call().on(store, "erase", "--receipts").status()).isZero();
        service.destroy();
        assertThat(service.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(service.exitValue()).isEqualTo(ExitCodes.OK);
      } finally {
        service.destroyForcibly();
      }
    }

    assertThat(Files.readString(audit))
        .contains("\"who\":\"retention\"")
        .contains("\"what\":\"erase\",\"target\":\"erasure 1\",\"status\":200");
    assertThat(Files.readString(talk)).containsPattern("retention: erased [0-9]+ blobs; receipt: ");
    assertThat(new Call().on(store, "retention", "apply", "--yes").out())
        .startsWith("would go: 0 blobs");
  }

  private static void waitFor(Path file, WatchService watch) throws InterruptedException {
    while (!Files.exists(file)) {
      WatchKey key = watch.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertThat(key).as("made within %s s: %s", PATIENCE_SECONDS, file).isNotNull();
      key.reset();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"soon", "30s", "0"})
  void aTimeThatIsNoneOrTooShortIsRefused(String every) {
    Call.Result refused =
        new Call().on(folder.resolve("s"), "serve", "--print-config", "--apply-retention", every);

    assertThat(refused.status()).isEqualTo(ExitCodes.USAGE);
    assertThat(refused.err()).contains("--apply-retention: expected ");
  }

  @Test
  void aServiceAppliesRulesToAStoreInADatabaseToo() {
    Call.Result printed =
        new Call()
            .with("VARVE_APPLY_RETENTION", "1d")
            .run("serve", "--print-config", "--store", "postgresql://db.example/team");

    assertThat(printed.status()).as(printed.err()).isEqualTo(ExitCodes.OK);
    assertThat(printed.out()).contains("apply-retention");
  }
}
