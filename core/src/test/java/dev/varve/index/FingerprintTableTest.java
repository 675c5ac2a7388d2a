// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.disk.Disk;
import dev.varve.disk.LocalDisk;
import dev.varve.disk.SimulatedDisk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FingerprintTableTest {

  private static final UUID STORE = new UUID(11, 22);
  private static final String NAME = "things.idx";

  @TempDir Path temp;
  private final CapturedLog log = new CapturedLog();
  private Disk disk;

  @BeforeEach
  void openDisk() {
    disk = LocalDisk.open(temp);
  }

  @AfterEach
  void closeLog() {
    log.close();
  }

  @Test
  void aNewTableIsOnePageAndAHeaderAndHasNothing() {
    try (var table = open(new ListSource())) {
      assertThat(table.find(1, _ -> true)).isEqualTo(-1);
      assertThat(table.findLast(1, _ -> true)).isEqualTo(-1);
      assertThat(table.entries()).isZero();
      assertThat(table.diskBytes()).isEqualTo(8192);
    }
    assertThat(disk.names()).containsExactly(NAME);
  }

  @Test
  void aHitIsOneThatTheCallerConfirms() {
    try (var table = open(new ListSource())) {
      table.put(5, 50);
      table.put(5, 51);
      assertThat(table.find(5, v -> v == 51)).isEqualTo(51);
      assertThat(table.find(5, v -> v == 52)).isEqualTo(-1);
      assertThat(table.findLast(5, _ -> true)).isEqualTo(51);
    }
  }

  @Test
  void aNegativeValueIsRefused() {
    try (var table = open(new ListSource())) {
      assertThatThrownBy(() -> table.put(1, -1)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aClosedTableSaysSo() {
    var table = open(new ListSource());
    table.close();
    table.close();
    assertThatThrownBy(() -> table.find(1, _ -> true)).isInstanceOf(StoreException.Closed.class);
    assertThatThrownBy(() -> table.put(1, 1)).isInstanceOf(StoreException.Closed.class);
    assertThatThrownBy(() -> table.checkpoint(0)).isInstanceOf(StoreException.Closed.class);
    assertThatThrownBy(table::entries).isInstanceOf(StoreException.Closed.class);
  }

  @Test
  void anEntryTakesAtMost28BytesOfDiskAfterGrowing() {
    try (var table = open(new ListSource())) {
      long before = table.diskBytes();
      for (long i = 0; i < 40_000; i++) {
        table.put(BitMixer.of(i), i);
        if (table.diskBytes() != before) {
          before = table.diskBytes();
          if (i > 20_000) {
            assertThat((double) before / (i + 1)).isLessThanOrEqualTo(28.0);
          }
        }
      }
      assertThat(table.entries()).isEqualTo(40_000);
    }
  }

  @Test
  void whatTheHeaderCoversIsNotAskedOfTheSourceAgain() {
    var source = new ListSource();
    try (var table = open(source)) {
      for (long i = 0; i < 1000; i++) {
        source.add(BitMixer.of(i), i);
        table.put(BitMixer.of(i), i);
      }
      table.checkpoint(990);
    }
    List<Long> asked = new ArrayList<>();
    EntrySource recorder =
        new EntrySource() {
          @Override
          public long count() {
            return source.count();
          }

          @Override
          public void entries(long from, EntrySink sink) {
            asked.add(from);
            source.entries(from, sink);
          }
        };
    try (var table = open(recorder)) {
      assertThat(asked).containsExactly(990L);
      assertThat(table.entries()).isEqualTo(1000 + 10); // those that it had are counted again
    }
  }

  @Test
  void coveringLessThanBeforeChangesNothing() {
    var source = new ListSource();
    source.add(1, 1);
    try (var table = open(source)) {
      table.checkpoint(1);
      table.checkpoint(0);
    }
    try (var table = open(new Unreadable(source))) {
      assertThat(table.find(1, _ -> true)).isEqualTo(1);
    }
  }

  @Test
  void aTableBehindItsListIsCaughtUp() {
    var source = new ListSource();
    fill(source, 0, 300);
    open(source).close();
    fill(source, 300, 5000);
    try (var table = open(source)) {
      assertFindsAll(table, source);
    }
  }

  /// The list lost its end and got another. What the table has of the old end leads astray, and
  /// nobody follows.
  @Test
  void aTableAheadOfItsListIsMadeAnew() {
    var source = new ListSource();
    fill(source, 0, 1000);
    open(source).close();
    source.cutTo(700);
    try (var table = open(source)) {
      assertFindsAll(table, source);
      assertThat(table.entries()).isEqualTo(700);
      assertThat(log.warnings())
          .anyMatch(w -> w.contains(NAME) && w.contains("covers 1000 of a list of 700"));
    }
    for (long i = 700; i < 1000; i++) {
      source.add(BitMixer.of(-i), i);
    }
    try (var table = open(source)) {
      assertFindsAll(table, source);
    }
  }

  @Test
  void entriesBeyondWhatIsCoveredMayLeadAnywhere() {
    var source = new ListSource();
    fill(source, 0, 100);
    try (var table = open(source)) {
      table.checkpoint(100);
      table.put(BitMixer.of(100), 100);
    }
    source.add(BitMixer.of(4711), 100);
    try (var table = open(source)) {
      assertFindsAll(table, source);
      assertThat(
              table.find(
                  BitMixer.of(100),
                  v -> source.copy((int) v).getFirst().fingerprint() == BitMixer.of(100)))
          .isEqualTo(-1);
    }
  }

  @Test
  void leftOversOfARenewalThatWasCutOffAreDeleted() {
    disk.open(NAME + ".17.new").close();
    disk.open("other.idx.17.new").close();
    open(new ListSource()).close();
    assertThat(disk.names()).containsExactlyInAnyOrder(NAME, "other.idx.17.new");
  }

  @Test
  void aSourceWithMoreEntriesThanItExpectedGetsALargerTable() {
    var source = new ListSource();
    fill(source, 0, 3000);
    EntrySource modest =
        new EntrySource() {
          @Override
          public long count() {
            return source.count();
          }

          @Override
          public void entries(long from, EntrySink sink) {
            source.entries(from, sink);
          }

          @Override
          public long expectedEntries() {
            return 1;
          }
        };
    try (var table = open(modest)) {
      assertFindsAll(table, source);
      assertThat(table.entries()).isEqualTo(3000);
    }
    assertThat(disk.names()).containsExactly(NAME);
  }

  @Test
  void aSourceThatCannotBeReadIsHeardOf() {
    var source = new ListSource();
    source.add(1, 1);
    assertThatThrownBy(() -> open(new Unreadable(source)))
        .isInstanceOf(StoreException.Corrupt.class);
    assertThat(disk.names()).isEmpty();
  }

  /// Keys share fingerprints, values supersede each other, the process is killed or ends, the list
  /// is caught up.
  @Test
  void aRandomHistoryIsThatOfAMap() {
    for (long seed = 0; seed < 25; seed++) {
      new RandomHistory(new SimulatedDisk(seed), seed).run();
    }
  }

  private static final class RandomHistory {
    private final Disk disk;
    private final long seed;
    private final SplittableRandom random;
    private final ListSource source = new ListSource();
    private final List<Integer> keyOfValue = new ArrayList<>();
    private final int[] latest;
    private final long fingerprints;
    private FingerprintTable table;

    RandomHistory(Disk disk, long seed) {
      this.disk = disk;
      this.seed = seed;
      random = new SplittableRandom(seed);
      latest = new int[1 + random.nextInt(2000)];
      Arrays.fill(latest, -1);
      fingerprints = 1 + random.nextInt(2 * latest.length);
      table = reopened();
    }

    void run() {
      for (int step = 0; step < 2000; step++) {
        switch (random.nextInt(100)) {
          case 0 -> {
            table.close();
            table = reopened();
          }
          case 1 ->
              table = reopened(); // as after a kill: the mapping was written, the header was not
          case 2 -> table.checkpoint(source.count());
          default -> {
            if (random.nextInt(3) == 0) {
              check(random.nextInt(latest.length));
            } else {
              put(random.nextInt(latest.length));
            }
          }
        }
      }
      for (int key = 0; key < latest.length; key++) {
        check(key);
      }
      table.close();
    }

    private void put(int key) {
      int value = keyOfValue.size();
      keyOfValue.add(key);
      source.add(fingerprint(key), value, v -> v < value && leadsTo(v, key));
      table.put(fingerprint(key), value, v -> v < value && leadsTo(v, key));
      latest[key] = value;
    }

    private void check(int key) {
      long found = table.findLast(fingerprint(key), v -> leadsTo(v, key));
      assertThat(found).as("seed %d, key %d", seed, key).isEqualTo(latest[key]);
    }

    private boolean leadsTo(long value, int key) {
      return value < keyOfValue.size() && keyOfValue.get((int) value) == key;
    }

    private long fingerprint(int key) {
      return BitMixer.of(key % fingerprints);
    }

    private FingerprintTable reopened() {
      return FingerprintTable.open(disk, NAME, 1, STORE, source);
    }
  }

  /// A list whose records cannot be read.
  private record Unreadable(ListSource source) implements EntrySource {
    @Override
    public long count() {
      return source.count();
    }

    @Override
    public void entries(long from, EntrySink sink) {
      throw new StoreException.Corrupt("list", from, "a record", "none");
    }
  }

  private FingerprintTable open(EntrySource source) {
    return FingerprintTable.open(disk, NAME, 1, STORE, source);
  }

  private static void fill(ListSource source, long from, long to) {
    for (long i = from; i < to; i++) {
      source.add(BitMixer.of(i), i);
    }
  }

  private static void assertFindsAll(FingerprintTable table, ListSource source) {
    for (ListSource.Entry entry : source.copy(0)) {
      assertThat(table.find(entry.fingerprint(), v -> v == entry.value())).isEqualTo(entry.value());
    }
  }
}
