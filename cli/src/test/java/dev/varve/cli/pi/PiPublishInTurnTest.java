// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.pi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.access.StoreAccess;
import dev.varve.access.WaitingRules;
import dev.varve.cli.Call;
import dev.varve.cli.ServiceProcess;
import dev.varve.cli.session.ExitCodes;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The publishing of one session while a service has the store and an import goes on.
final class PiPublishInTurnTest {

  @TempDir Path folder;
  private Path store;
  private Process service;

  @BeforeEach
  void serve() throws IOException {
    store = folder.resolve("s");
    service = ServiceProcess.startReady(store, folder.resolve("talk"));
  }

  @AfterEach
  void end() throws InterruptedException {
    service.destroyForcibly().waitFor();
  }

  private Call.Result publish(Path session) {
    return new Call().with("VARVE_WAIT", "0").on(store, "pi", "publish", session.toString());
  }

  @Test
  void waitsForTheImport() throws IOException {
    Path session = PiSession.rich().write(folder.resolve("session.jsonl"));

    try (var _ = StoreAccess.of(store, WaitingRules.NONE).openForImport()) {
      Call.Result waiting = publish(session);
      assertThat(waiting.status()).as(waiting.err()).isEqualTo(ExitCodes.UNAVAILABLE);
      assertThat(waiting.err()).contains("an import, process");
    }

    Call.Result published = publish(session);
    assertThat(published.status()).as(published.err()).isZero();
    assertThat(published.out()).matches("[0-9a-f]{64}\n");
  }
}
