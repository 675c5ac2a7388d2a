// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.CheckReport.Problem;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.TurnId;
import dev.varve.disk.SimulatedDisk;
import dev.varve.journal.Checkpoint;
import dev.varve.local.History.Moment;
import dev.varve.turn.HeadTable;
import dev.varve.turn.TurnLog;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The checkpoint may be lost, garbled or old: the files and the journal say where the store
/// stands.
class CheckpointDamageTest {

  private static final int SLOT_BYTES = 32768;

  private static HeardLog log;
  private static List<Moment> history;

  @BeforeAll
  static void makeStore() {
    log = new HeardLog();
    history = History.of(3, 4, 90);
  }

  @AfterAll
  static void stopListening() {
    log.close();
  }

  private static byte[] garbled(byte[] bytes, int from, int to) {
    byte[] noise = new byte[Math.max(0, Math.min(bytes.length, to) - from)];
    new SplittableRandom(from).nextBytes(noise);
    System.arraycopy(noise, 0, bytes, from, noise.length);
    return bytes;
  }

  private static Map<String, DiskImage> damaged(DiskImage image, List<DiskImage> earlier) {
    Map<String, DiskImage> all = new LinkedHashMap<>();
    String file = Checkpoint.FILE;
    all.put("deleted", image.without(file));
    all.put("empty", image.with(file, new byte[0]));
    all.put("first slot garbled", image.with(file, garbled(image.file(file), 0, 3000)));
    all.put(
        "second slot garbled",
        image.with(file, garbled(image.file(file), SLOT_BYTES, SLOT_BYTES + 3000)));
    byte[] both = garbled(garbled(image.file(file), 0, 3000), SLOT_BYTES, SLOT_BYTES + 3000);
    all.put("both slots garbled", image.with(file, both));
    for (DiskImage old : earlier) {
      DiskImage stale = image.with(file, old.file(file));
      all.put("as in life " + earlier.indexOf(old), stale);
      String heads = HeadTable.FILE;
      all.put(
          "as in life " + earlier.indexOf(old) + " with heads.tbl",
          stale.with(heads, old.file(heads)));
    }
    return all;
  }

  private static void assertSurvives(Moment moment, List<DiskImage> earlier) {
    damaged(moment.image(), earlier)
        .forEach(
            (what, image) -> {
              SimulatedDisk disk = image.disk();
              LocalStore store = History.open(disk);
              assertThat(History.difference(moment.model(), store)).as(what).isEmpty();
              assertThat(store.check().problems()).as(what).allMatch(Problem::derived);
              assertThatNumbersAreNew(moment, store);
              store.close();
              log.complaints();
              LocalStore again = History.open(disk);
              assertThat(again.check().problems()).as(what).isEmpty();
              again.close();
              assertThat(log.complaints()).as(what + ": and all is well again").isEmpty();
            });
  }

  private static void assertThatNumbersAreNew(Moment moment, LocalStore store) {
    ContextId context = store.createContext().id();
    assertThat(context).isGreaterThan(moment.model().lastContext());
    assertThat(
            store
                .append(
                    context,
                    NewTurn.of(
                        Payload.utf8("new"), new DeclaredType("sim.Message", 0), Encoding.JSON))
                .id())
        .isGreaterThan(moment.model().lastTurn());
  }

  @Test
  void closedStoresDoWithoutTheirCheckpoint() {
    assertSurvives(history.get(1), List.of(history.get(0).image()));
    assertSurvives(history.get(2), List.of(history.get(0).image(), history.get(1).image()));
  }

  @Test
  void crashedStoresDoWithoutTheirCheckpoint() {
    assertThat(history.get(3).image().has("journal.a")).isTrue();
    assertSurvives(
        history.get(3),
        List.of(history.get(0).image(), history.get(1).image(), history.get(2).image()));
  }

  /// What stands in a file of a store that was closed belongs to it, damaged or not.
  @Test
  void theLastRecordsMayBeDamagedAsWell() {
    Furnished furnished = new Furnished();
    for (String file : LostFileTest.primary()) {
      int last = furnished.image.file(file).length - 10;
      DiskImage image = furnished.image.without(Checkpoint.FILE).withFlip(file, last);
      LocalStore store = Furnished.open(Furnished.withoutDerived(image).disk());
      assertThat(furnished.differences(store).keySet())
          .as(file)
          .allMatch(what -> what.matches("(turn|ancestor of|head of|last of) \\d+.*|contexts"))
          .hasSizeLessThanOrEqualTo(6);
      assertThat(store.check().problems()).as(file).anyMatch(p -> p.file().equals(file));
      ContextId context = store.createContext().id();
      assertThat(context.value()).isGreaterThan(Furnished.CONTEXTS);
      assertThat(store.append(context, Furnished.newTurn(9000)).id().value())
          .isGreaterThan(Furnished.TURNS);
      assertThat(store.tombstone(new TurnId(1))).isEqualTo(Furnished.OVERLAID + 1);
      store.close();
    }
  }

  @Test
  void theNumberOfATurnOfWhichNothingIsLeftIsNotGivenAgain() {
    Furnished furnished = new Furnished();
    DiskImage image =
        furnished
            .image
            .without(Checkpoint.FILE)
            .withFlip(TurnLog.LOG, furnished.image.file(TurnLog.LOG).length - 10)
            .withFlip(TurnLog.META, furnished.image.file(TurnLog.META).length - 10);
    LocalStore store = Furnished.open(Furnished.withoutDerived(image).disk());
    assertThat(store.append(store.createContext().id(), Furnished.newTurn(9000)).id().value())
        .isGreaterThan(Furnished.TURNS);
    store.close();
  }

  /// The heads are in the journal and in the logs as well.
  @Test
  void neitherCheckpointNorDerivedFilesAreNeeded() {
    for (Moment moment : List.of(history.get(2), history.get(3))) {
      DiskImage image = moment.image().without(Checkpoint.FILE);
      for (String file : StoreFiles.DERIVED) {
        image = image.without(file);
      }
      LocalStore store = History.open(image.disk());
      assertThat(History.difference(moment.model(), store)).isEmpty();
      assertThat(store.check().problems()).isEmpty();
      store.close();
    }
  }
}
