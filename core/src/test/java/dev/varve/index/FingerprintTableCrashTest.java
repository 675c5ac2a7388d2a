// SPDX-License-Identifier: Apache-2.0
package dev.varve.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.StoreException;
import dev.varve.disk.Disk;
import dev.varve.disk.DiskFile;
import dev.varve.disk.ForwardingDisk;
import dev.varve.disk.PowerCut;
import dev.varve.disk.SimulatedDisk;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The power fails, the process is killed, a force fails, at any moment and again and again. Each
/// time the table is opened it has what its list has, and of superseded values the newest.
///
/// A failure names its seed; `-Dsim.seed=N` runs that one alone, `-Dsim.runs=N` more of them.
class FingerprintTableCrashTest {

  private final CapturedLog log = new CapturedLog();

  @AfterEach
  void closeLog() {
    log.close();
  }

  @Test
  void theAnswersAreRightAfterAnyCrash() {
    long only = Long.getLong("sim.seed", -1);
    int runs = Integer.getInteger("sim.runs", 500);
    LongStream seeds = only >= 0 ? LongStream.of(only) : LongStream.range(0, runs);
    seeds.forEach(
        seed -> {
          try {
            new Life(seed).run();
          } catch (AssertionError e) {
            throw new AssertionError("repeat with -Dsim.seed=" + seed + ": " + e.getMessage(), e);
          }
        });
    assertThat(log.errors()).isEmpty();
  }

  @Test
  void aPowerCutWithinACheckpointLosesNothing() {
    assertThat(LongStream.range(0, 1000).filter(seed -> isLostByACut(seed, disk -> disk)))
        .isEmpty();
  }

  /// The canary: it is the order of the two forces that the test above is about.
  @Test
  void pagesThatAreNotForcedBeforeTheirHeaderAreMissed() {
    assertThat(LongStream.range(0, 1000).filter(seed -> isLostByACut(seed, Unforced::new)))
        .hasSizeGreaterThan(5);
  }

  @Test
  void whatACheckpointCoversIsNotAskedForAfterAPowerCut() {
    for (long seed = 0; seed < 200; seed++) {
      var source = new ListSource();
      var disk = new SimulatedDisk(seed, 1 << 14);
      try (FingerprintTable table = Life.open(disk, source)) {
        for (long i = 0; i < 50; i++) {
          source.add(BitMixer.of(i), i);
          table.put(BitMixer.of(i), i);
        }
        table.checkpoint(50);
      }
      var later = new ListSource();
      source.copy(0).forEach(entry -> later.add(entry.fingerprint(), -1)); // refused if put

      try (var reopened = Life.open(disk.cutPower(), later)) {
        assertThat(reopened.find(BitMixer.of(49), _ -> true)).as("seed %d", seed).isEqualTo(49);
      }
    }
  }

  /// Cuts the power somewhere in a checkpoint that has a single new entry, in a list that is
  /// forced.
  private static boolean isLostByACut(long seed, UnaryOperator<Disk> lens) {
    var source = new ListSource();
    for (long i = 0; i < 50; i++) {
      source.add(BitMixer.of(i), i);
    }
    var disk = new SimulatedDisk(seed, 1 << 14);
    Life.open(disk, source).close();
    FingerprintTable table = Life.open(lens.apply(disk), source);
    source.add(BitMixer.of(50), 50);
    table.put(BitMixer.of(50), 50);
    disk.cutPowerAfter(1 + seed % 3);
    try {
      table.checkpoint(51);
    } catch (PowerCut e) {
      assertThat(seed % 3).isLessThan(2);
    }
    try (var reopened = Life.open(disk.cutPower(), source)) {
      return LongStream.range(0, 51).anyMatch(i -> reopened.find(BitMixer.of(i), _ -> true) != i);
    }
  }

  /// Lives of one table, with its list in memory. The list survives a crash up to what was forced,
  /// and maybe further.
  private static final class Life {
    private static final String NAME = "things.idx";
    private static final int KEYS = 600;

    private final SplittableRandom random;
    private final ListSource source = new ListSource();
    private final List<Integer> keyOfValue = new ArrayList<>();
    private final int[] newestForced = new int[KEYS];
    private int forced;

    /// If there are many, little is put in between, and a page may be lost without a trace.
    private int checkpointsIn400;

    private SimulatedDisk disk;
    private FingerprintTable table;

    Life(long seed) {
      this.random = new SplittableRandom(seed);
      this.disk = new SimulatedDisk(seed, 1 << 17);
      recover(0);
    }

    void run() {
      int crashes = 2 + random.nextInt(4);
      for (int crash = 0; crash < crashes; crash++) {
        liveAndDie();
        checkAll();
      }
      table.close();
      assertThat(disk.openFiles()).isZero();
    }

    private void liveAndDie() {
      int steps = 1 + random.nextInt(1200);
      checkpointsIn400 = random.nextInt(3) == 0 ? 2 : 100;
      boolean suddenly = random.nextInt(4) > 0;
      if (suddenly) {
        disk.cutPowerAfter(1 + random.nextInt(25));
      } else if (random.nextInt(4) == 0) {
        disk.failForce(random.nextInt(8));
      }
      try {
        for (int step = 0; step < steps; step++) {
          step();
        }
      } catch (PowerCut e) {
        assertThat(suddenly).as("the power was cut at the wrong time").isTrue();
      }
      if (!suddenly && random.nextBoolean()) {
        disk = disk.kill();
        recover(keyOfValue.size());
      } else {
        disk = disk.cutPower();
        recover(forced + random.nextInt(keyOfValue.size() - forced + 1));
      }
    }

    private void checkpoint(int covered) {
      try {
        table.checkpoint(covered);
      } catch (StoreException.Io e) {
        assertThat(e).hasMessageContaining("force");
      }
    }

    private void step() {
      int what = random.nextInt(400);
      if (what < checkpointsIn400) {
        forceList();
        checkpoint(forced - random.nextInt(forced + 1) * random.nextInt(2));
      } else if (what < 110) {
        forceList();
      } else if (what < 180) {
        check(random.nextInt(KEYS));
      } else {
        put(random.nextInt(KEYS));
      }
    }

    private void put(int key) {
      int value = keyOfValue.size();
      keyOfValue.add(key);
      LongPredicate superseded = old -> old < newestForced[key] && leadsTo(old, key);
      source.add(fingerprint(key), value, superseded);
      table.put(fingerprint(key), value, superseded);
    }

    private void forceList() {
      for (; forced < keyOfValue.size(); forced++) {
        newestForced[keyOfValue.get(forced)] = forced;
      }
    }

    /// @param count how much of the list there still is
    private void recover(int count) {
      source.cutTo(count);
      keyOfValue.subList(count, keyOfValue.size()).clear();
      table = open(disk, source);
    }

    static FingerprintTable open(Disk disk, EntrySource source) {
      return FingerprintTable.open(disk, NAME, 1, new UUID(3, 4), source, 1 << 20);
    }

    private void checkAll() {
      for (int key = 0; key < KEYS; key++) {
        check(key);
      }
    }

    private void check(int key) {
      long found = table.findLast(fingerprint(key), value -> leadsTo(value, key));
      assertThat(found).as("key %d", key).isEqualTo(keyOfValue.lastIndexOf(key));
    }

    private boolean leadsTo(long value, int key) {
      return value < keyOfValue.size() && keyOfValue.get((int) value) == key;
    }

    private static long fingerprint(int key) {
      return BitMixer.of(key / 2); // two keys each
    }
  }

  /// A disk that leaves out every other force of a file.
  private static final class Unforced extends ForwardingDisk {
    private final Map<DiskFile, AtomicInteger> forces = new IdentityHashMap<>();

    Unforced(Disk disk) {
      super(disk);
    }

    @Override
    protected void force(DiskFile file) {
      if (forces.computeIfAbsent(file, _ -> new AtomicInteger()).incrementAndGet() % 2 == 0) {
        file.force();
      }
    }
  }
}
