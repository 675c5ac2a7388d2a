// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.Durability;
import dev.varve.StoreException;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.hash.Blake3;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Processes that are killed while they write, on a real disk: every append that was acknowledged
/// is there, whatever the durability, for the system lives on. `-Dkill.runs=N` for more of them.
class KilledProcessTest {

  private static HeardLog log;

  @TempDir Path folder;

  @BeforeAll
  static void listen() {
    log = new HeardLog();
  }

  @AfterAll
  static void stopListening() {
    log.close();
  }

  @Test
  void everyAcknowledgedAppendSurvivesTheDeathOfItsProcess() throws Exception {
    SplittableRandom random = new SplittableRandom();
    List<String> acknowledged = new ArrayList<>();
    int runs = Integer.getInteger("kill.runs", 6);
    for (int run = 0; run < runs; run++) {
      Durability durability = Durability.values()[run % Durability.values().length];
      acknowledged.addAll(killAfter(1 + random.nextInt(150), durability, run));
      try (LocalStore store = KilledWriter.open(folder, durability)) {
        assertHolds(store, acknowledged);
        assertThat(store.check().problems()).isEmpty();
      }
    }
    Set<String> numbers = new HashSet<>();
    acknowledged.forEach(line -> assertThat(numbers.add(line.split(" ")[0])).as(line).isTrue());
  }

  private List<String> killAfter(int lines, Durability durability, long seed) throws Exception {
    Process writer = KilledWriter.start(folder, durability, seed);
    List<String> acknowledged = new ArrayList<>();
    try (BufferedReader said = writer.inputReader()) {
      for (int i = 0; i < lines; i++) {
        acknowledged.add(Objects.requireNonNull(said.readLine(), "the writer ended by itself"));
      }
      writer.toHandle().destroyForcibly(); // leaves its output open
      // What it said before it died was acknowledged too; its last line may be cut.
      said.lines()
          .filter(line -> line.matches("\\d+ \\d+ [0-9a-f]{64}"))
          .forEach(acknowledged::add);
    } finally {
      writer.destroyForcibly();
    }
    writer.waitFor();
    return acknowledged;
  }

  private static void assertHolds(LocalStore store, List<String> acknowledged) {
    for (String line : acknowledged) {
      String[] words = line.split(" ");
      Turn turn = store.turn(new TurnId(Long.parseLong(words[0])), View.AS_WRITTEN);
      assertThat(turn.context()).hasToString(words[1]);
      assertThat(turn.payloadHash()).hasToString(words[2]);
      assertThat(Blake3.hash(Objects.requireNonNull(turn.payload()).bytes())).hasToString(words[2]);
      assertThat(store.head(turn.context()).head()).isGreaterThanOrEqualTo(turn.id());
    }
  }

  @Test
  void aLockedStoreNamesItsHolderAndIsFreeWhenThatIsKilled() throws Exception {
    Process writer = KilledWriter.start(folder, Durability.FORCE_GROUPED, 1);
    try (BufferedReader said = writer.inputReader()) {
      assertThat(said.readLine()).isNotNull();
      assertThatThrownBy(() -> LocalStore.open(folder, StoreOptions.DEFAULTS))
          .isInstanceOf(StoreException.Busy.class)
          .hasMessageContaining("process " + writer.pid());
      assertThatThrownBy(() -> LocalStore.openUnderived(folder, StoreOptions.DEFAULTS))
          .isInstanceOf(StoreException.Busy.class);
    } finally {
      writer.destroyForcibly();
    }
    writer.waitFor();
    try (LocalStore store = LocalStore.open(folder, StoreOptions.DEFAULTS)) {
      assertThat(store.check().problems()).isEmpty();
    }
  }

  @Test
  void aStoreIsOpenOnceInAProcess() {
    try (LocalStore _ = LocalStore.open(folder, StoreOptions.DEFAULTS)) {
      assertThatThrownBy(() -> LocalStore.open(folder, StoreOptions.DEFAULTS))
          .isInstanceOf(StoreException.Busy.class)
          .hasMessageContaining("process " + ProcessHandle.current().pid());
    }
    LocalStore.open(folder, StoreOptions.DEFAULTS).close();
  }
}
