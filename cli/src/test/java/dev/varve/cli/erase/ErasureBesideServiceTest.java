// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.erase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreOptions;
import dev.varve.TurnId;
import dev.varve.cli.Call;
import dev.varve.cli.ServiceProcess;
import dev.varve.cli.session.ExitCodes;
import dev.varve.local.LocalStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `varve gc`, `varve retention apply` and `varve erase` while a service has the store.
final class ErasureBesideServiceTest {

  private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");

  @TempDir Path folder;
  private Path store;
  private Process service;

  @BeforeEach
  void serve() throws IOException {
    store = folder.resolve("s");
    try (LocalStore open = LocalStore.open(store, StoreOptions.DEFAULTS)) {
      BlobHash about = open.put(Payload.utf8("{\"cwd\":\"/projects/ann/shop\"}"));
      ContextId context = new ContextId(1);
      TurnId turn = new TurnId(1);
      open.restoreTurn(
          turn,
          context,
          NewTurn.of(Payload.utf8("old words"), new DeclaredType("note", 1), Encoding.RAW)
              .withParent(TurnId.NONE),
          LONG_AGO);
      open.restoreContext(context, turn, TurnId.NONE, LONG_AGO, LONG_AGO, about);
      ContextId young = open.createContext().id();
      TurnId patched =
          open.append(
                  young,
                  NewTurn.of(
                      Payload.utf8("hidden words"), new DeclaredType("note", 1), Encoding.RAW))
              .id();
      open.patch(patched, Payload.utf8("shown words"));
    }
    service = ServiceProcess.startReady(store, folder.resolve("talk"));
  }

  @AfterEach
  void end() throws InterruptedException {
    service.destroyForcibly().waitFor();
  }

  private Call.Result varve(String... args) {
    return new Call().on(store, args);
  }

  private boolean isThere(String text) throws IOException {
    return Files.readString(store.resolve("blobs.pack"), StandardCharsets.ISO_8859_1)
        .contains(text);
  }

  @Test
  void garbageAndOldConversationsGoAndTheServiceGoesOn() throws IOException {
    Call.Result freed = varve("gc", "--yes");
    assertThat(freed.status()).as(freed.err()).isZero();
    assertThat(isThere("hidden words")).isFalse();
    assertThat(isThere("old words")).isTrue();

    assertThat(varve("retention", "set", "--older-than", "400d", "--project", "shop").status())
        .isZero();
    Call.Result applied = varve("retention", "apply", "--yes");
    assertThat(applied.out()).as(applied.err()).startsWith("erased: ").contains("erasure-2.json");
    assertThat(isThere("old words")).isFalse();

    assertThat(varve("log", "2").out()).contains("shown words");
    assertThat(varve("erase", "--receipts").lines()).hasSizeGreaterThanOrEqualTo(2);
    assertThat(service.isAlive()).isTrue();
  }

  /// The service ends between the question and the erasure.
  @Test
  void anErasureWithoutAnAnswerIsSaidToBeUnknown() {
    InputStream answer =
        new InputStream() {
          private final InputStream yes =
              new ByteArrayInputStream("y\n".getBytes(StandardCharsets.UTF_8));

          @Override
          public int read() throws IOException {
            service.destroyForcibly().onExit().join();
            return yes.read();
          }
        };

    Call.Result erased =
        new Call().atTerminal(80).input(answer).on(store, "erase", "--secret", "old words");

    assertThat(erased.status()).isEqualTo(ExitCodes.INPUT_OUTPUT);
    assertThat(erased.err())
        .contains("it is not known whether anything was erased:")
        .contains("'varve erase --receipts' lists the erasure if it was done.");
  }
}
