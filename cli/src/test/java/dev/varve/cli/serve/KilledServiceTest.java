// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.serve;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.access.StoreAccess;
import dev.varve.access.WaitingRules;
import dev.varve.cli.Call;
import dev.varve.cli.ServiceProcess;
import dev.varve.local.LocalStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A service that was killed after 300 appends, and whose journal was damaged then: nothing that
/// was acknowledged is lost without a word, and no number is given twice.
final class KilledServiceTest {

  private static final int APPENDS = 300;
  private static final int BLOCK_BYTES = 4096;

  @TempDir static Path folder;
  private static final List<TurnId> acknowledged = new ArrayList<>();
  private static Path killed;

  @BeforeAll
  static void killAService() throws Exception {
    killed = folder.resolve("killed");
    Process server = ServiceProcess.startReady(killed, folder.resolve("talk"));
    try {
      try (Store store = StoreAccess.of(killed, WaitingRules.NONE).openExisting()) {
        ContextId context = store.createContext().id();
        for (int i = 0; i < APPENDS; i++) {
          acknowledged.add(store.append(context, turn(i)).id());
        }
      }
    } finally {
      server.destroyForcibly().waitFor();
    }
  }

  private static NewTurn turn(int number) {
    return NewTurn.of(
        Payload.utf8("{\"n\":" + number + "}"), new DeclaredType("n", 1), Encoding.JSON);
  }

  /// A change to the journal's file.
  private interface Damage {
    void to(Path journal) throws IOException;
  }

  private static void flip(Path journal, int batch) throws IOException {
    byte[] bytes = Files.readAllBytes(journal);
    int found = 0;
    for (int at = 0; at < bytes.length; at += BLOCK_BYTES) {
      if (new String(bytes, at, 4, US_ASCII).equals("VJRN") && ++found == batch) {
        bytes[at + 100] ^= 1;
        Files.write(journal, bytes);
        return;
      }
    }
    throw new AssertionError(found + " batches");
  }

  @Test
  void aBitInTheThirtyFirstBatchCostsNothingAndIsNamed() throws IOException {
    assertThat(assertNothingIsLost("31", journal -> flip(journal, 31))).contains("journal.a");
  }

  @Test
  void aBitInTheFirstBatchCostsNothingAndIsNamed() throws IOException {
    assertThat(assertNothingIsLost("first", journal -> flip(journal, 1))).contains("journal.a");
  }

  @Test
  void anEmptiedJournalCostsNothingAndIsNamed() throws IOException {
    assertThat(assertNothingIsLost("emptied", journal -> Files.write(journal, new byte[0])))
        .contains("journal");
  }

  @Test
  void aDeletedJournalCostsNothing() throws IOException {
    assertNothingIsLost("deleted", Files::delete);
  }

  /// Returns everything that `varve check` prints of the damaged copy.
  private static String assertNothingIsLost(String name, Damage damage) throws IOException {
    Path store = Files.createDirectory(folder.resolve(name));
    try (var files = Files.list(killed)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, store.resolve(file.getFileName()));
      }
    }
    damage.to(store.resolve("journal.a"));

    Call.Result check = Call.varve(store, "check");

    assertThat(check.out()).contains(APPENDS + " turns", "1 context");
    try (LocalStore open = LocalStore.openExisting(store, StoreOptions.DEFAULTS)) {
      List<Turn> turns = open.last(new ContextId(1), APPENDS + 1, View.LATEST).turns();
      assertThat(turns).extracting(Turn::id).isEqualTo(acknowledged);
      for (int i = 0; i < APPENDS; i++) {
        assertThat(turns.get(i).payload()).isEqualTo(turn(i).payload());
      }
      assertThat(open.createContext().id().value()).isGreaterThan(1);
      assertThat(open.append(new ContextId(1), turn(APPENDS)).id())
          .isGreaterThan(acknowledged.getLast());
      assertThat(open.check().problems()).isEmpty();
    }
    return check.out() + check.err();
  }
}
