// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.CheckReport.Problem;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Durability;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.blob.BlobPack;
import dev.varve.disk.SimulatedDisk;
import dev.varve.hash.Blake3;
import dev.varve.journal.Journal;
import dev.varve.local.History.Moment;
import dev.varve.sim.SimulatedTime;
import dev.varve.turn.TurnLog;
import dev.varve.turn.TurnRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// A journal that is damaged where it must not be: what was acknowledged stands in the files as
/// well, and is taken from there.
class JournalDamageTest {

  private static final int BLOCK_BYTES = 4096;

  private static HeardLog log;

  /// A store that was closed, and then opened again and used until its process was killed: with a
  /// checkpoint before, and one journal file.
  private static Moment closed;

  private static Moment crashed;

  @BeforeAll
  static void makeStore() {
    log = new HeardLog();
    List<Moment> moments = History.of(8, 2, 20);
    closed = moments.getFirst();
    crashed = moments.getLast();
    assertThat(crashed.image().has(Journal.FILE_B)).isFalse();
    assertThat(batches(crashed.image())).hasSizeGreaterThan(5);
  }

  @AfterAll
  static void stopListening() {
    log.close();
  }

  /// Where the batches of the journal start.
  private static List<Integer> batches(DiskImage image) {
    byte[] journal = image.file(Journal.FILE_A);
    List<Integer> starts = new ArrayList<>();
    for (int at = 0; at < journal.length; at += BLOCK_BYTES) {
      if (new String(journal, at, 4, US_ASCII).equals("VJRN")) {
        starts.add(at);
      }
    }
    return starts;
  }

  private static List<Problem> assertNothingIsLost(String what, DiskImage image) {
    SimulatedDisk disk = image.disk();
    log.complaints();
    LocalStore store = History.open(disk);
    List<String> complaints = log.complaints();
    assertThat(History.difference(crashed.model(), store)).as(what + complaints).isEmpty();
    List<Problem> problems = store.check().problems();
    assertThat(problems).as(what + ": named by check").isNotEmpty();
    assertThat(complaints)
        .as(what + ": named in the log")
        .anyMatch(said -> said.contains("journal."));
    ContextId context = store.createContext().id();
    assertThat(context).as(what).isGreaterThan(crashed.model().lastContext());
    NewTurn turn =
        NewTurn.of(Payload.utf8("new"), new DeclaredType("sim.Message", 0), Encoding.JSON);
    assertThat(store.append(context, turn).id()).as(what).isGreaterThan(crashed.model().lastTurn());
    store.close();
    log.complaints();
    store = History.open(disk);
    assertThat(log.complaints()).as(what + ": all is well again").isEmpty();
    assertThat(store.check().problems()).as(what + ": all is well again").isEmpty();
    store.close();
    return problems;
  }

  @Test
  void aBitInAnyBatchCostsNothing() {
    List<Integer> starts = batches(crashed.image());
    for (int batch = 0; batch < starts.size(); batch++) {
      for (int within : new int[] {0, 9, 20, 30, 57, 61, 64, 200, 330}) {
        String what = "byte " + within + " of batch " + batch;
        DiskImage image = crashed.image().withFlip(Journal.FILE_A, starts.get(batch) + within);
        assertThat(assertNothingIsLost(what, image))
            .as(what)
            .allMatch(problem -> problem.file().startsWith("journal."));
      }
    }
  }

  /// The store's own journal is gone, and nothing but the files has what was in it.
  @Test
  void aJournalOfAnotherStoreIsNamed() {
    byte[] other = History.of(9, 2, 20).getLast().image().file(Journal.FILE_A);

    List<Problem> problems =
        assertNothingIsLost("foreign", crashed.image().with(Journal.FILE_A, other));

    assertThat(problems)
        .anyMatch(
            problem ->
                problem.what().contains("journal.a at byte 0: commits of another store")
                    && !problem.derived());
  }

  @Test
  void severalBadBatchesCostNothing() {
    List<Integer> starts = batches(crashed.image());
    DiskImage image = crashed.image();
    for (int batch = 1; batch < starts.size(); batch += 2) {
      image = image.withFlip(Journal.FILE_A, starts.get(batch) + 100);
    }
    assertNothingIsLost("every other batch", image);
  }

  @Test
  void anEmptiedZeroedOrCutFileIsNoWorseThanNone() {
    byte[] journal = crashed.image().file(Journal.FILE_A);
    List<Integer> starts = batches(crashed.image());
    assertNothingIsLost("emptied", crashed.image().with(Journal.FILE_A, new byte[0]));
    assertNothingIsLost("zeroed", crashed.image().with(Journal.FILE_A, new byte[journal.length]));
    for (int batch = 0; batch < starts.size(); batch++) {
      byte[] cut = Arrays.copyOf(journal, starts.get(batch) + 100);
      assertNothingIsLost("cut in batch " + batch, crashed.image().with(Journal.FILE_A, cut));
      byte[] zeroed = journal.clone();
      Arrays.fill(zeroed, starts.get(batch), journal.length, (byte) 0);
      assertNothingIsLost(
          "zeros from batch " + batch, crashed.image().with(Journal.FILE_A, zeroed));
    }
  }

  /// Batches that were not taken, because of a gap before them, must not follow later ones: the
  /// crash may come again before the journal is deleted.
  @Test
  void batchesBehindAGapNeverFollowLaterOnes() {
    SimulatedDisk first = new SimulatedDisk(0, DiskImage.FILE_CAPACITY_BYTES);
    LocalStore killed = History.open(first, SimulatedTime.standing(), Durability.LET_THE_SYSTEM);
    for (int blob = 1; blob <= 4; blob++) {
      killed.put(noise(blob));
    }
    DiskImage image = DiskImage.of(first.kill());
    History.abandon(killed);
    byte[] journal = image.file(Journal.FILE_A);
    byte[] pack = image.file(BlobPack.FILE);
    int second = Furnished.packOffsets(Arrays.copyOf(pack, 4 * 152)).get(1);
    SimulatedDisk gap =
        image
            .withFlip(Journal.FILE_A, batches(image).get(1) + 100)
            .withFlip(BlobPack.FILE, second + 60)
            .disk();
    LocalStore store = History.open(gap, SimulatedTime.standing(), Durability.LET_THE_SYSTEM);
    assertThat(store.has(Blake3.hash(noise(1)))).isTrue();
    assertThat(store.has(Blake3.hash(noise(2)))).as("behind the end").isFalse();
    store.put(noise(5)); // of the same size as what is lost
    store.close();
    journal[batches(image).get(1) + 100] ^= 0x55;
    SimulatedDisk disk = DiskImage.of(gap).with(Journal.FILE_A, journal).disk();
    LocalStore again = History.open(disk, SimulatedTime.standing(), Durability.LET_THE_SYSTEM);

    assertThat(again.get(Blake3.hash(noise(5)))).isEqualTo(noise(5));
    assertThat(again.has(Blake3.hash(noise(3)))).isFalse();
    assertThat(again.has(Blake3.hash(noise(4)))).isFalse();
    assertThat(again.counts().blobs()).isEqualTo(2);
    again.close();
  }

  private static Payload noise(int seed) {
    byte[] bytes = new byte[100];
    new SplittableRandom(seed).nextBytes(bytes);
    return Payload.wrap(bytes);
  }

  @Test
  void aFileThatIsGoneCostsNothing() {
    SimulatedDisk disk = crashed.image().without(Journal.FILE_A).disk();
    LocalStore store = History.open(disk);
    assertThat(History.difference(crashed.model(), store)).isEmpty();
    store.close();
  }

  @Test
  void whatIsDamagedInTheFilesAsWellIsNamedAndCostsNothingElse() {
    List<Integer> starts = batches(crashed.image());
    DiskImage flipped = crashed.image();
    for (int batch = 0; batch < starts.size() - 1; batch++) {
      flipped = flipped.withFlip(Journal.FILE_A, starts.get(batch) + 64);
    }
    List<TurnId> turns = crashed.model().turns().stream().map(Turn::id).toList();
    int before = (int) closed.model().counts().turns();
    TurnId damaged = turns.get(before); // of the first batch that has turns, not of the last
    int record = before * TurnRecord.SIZE_BYTES;
    for (DiskImage image : List.of(flipped, crashed.image().with(Journal.FILE_A, new byte[0]))) {
      SimulatedDisk disk = image.withFlip(TurnLog.LOG, record + 20).disk();
      LocalStore store = History.open(disk);
      assertThat(store.check().problems())
          .anyMatch(problem -> problem.file().equals(TurnLog.LOG) && problem.offset() == record)
          .anyMatch(problem -> problem.file().startsWith("journal.") && !problem.derived());
      assertThatThrownBy(() -> store.turn(damaged, View.AS_WRITTEN))
          .isInstanceOf(StoreException.Corrupt.class);
      for (TurnId turn : turns) {
        if (!turn.equals(damaged)) {
          assertThat(store.turn(turn, View.AS_WRITTEN))
              .isEqualTo(crashed.model().turn(turn, View.AS_WRITTEN));
        }
      }
      store.close();
      LocalStore again = History.open(disk);
      assertThat(again.check().problems())
          .as("for ever")
          .anyMatch(problem -> problem.file().equals(TurnLog.LOG));
      again.close();
    }
  }
}
