// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BulkStore;
import dev.varve.Durability;
import dev.varve.Limits;
import dev.varve.StoreOptions;
import dev.varve.disk.Growth;
import dev.varve.disk.PowerCut;
import dev.varve.disk.SimulatedDisk;
import dev.varve.journal.Journal;
import dev.varve.sim.ModelCheck;
import dev.varve.sim.RandomOperations;
import dev.varve.sim.StoreUnderTest;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Random operations on a disk whose power is cut at any moment, also while the store recovers: whatever was answered is
/// there, and nothing is half there.
///
/// A failure names its seed; `-Dsim.seed=N` runs that one alone, `-Dsim.runs=N` more of them.
class PowerCutStoreTest {

  static final Geometry SMALL =
      new Geometry(new Growth(1 << 14, 1 << 10, 1 << 13), new Journal.Sizes(1 << 15, 1 << 16), 2000);

  private static final int FILE_CAPACITY_BYTES = 1 << 18;
  private static final int[] SPOILT_BYTES = {0, 512, 0, 4096};
  private static final int ROUNDS = 3;
  private static final int STEPS_MAX = 60;

  @Test
  void whatWasAnsweredSurvivesPowerCuts() {
    long only = Long.getLong("sim.seed", -1);
    int runs = Integer.getInteger("sim.runs", 500);
    LongStream seeds = only >= 0 ? LongStream.of(only) : LongStream.range(0, runs);
    seeds.forEach(
        seed -> {
          try {
            new Run(seed).run();
          } catch (RuntimeException | Error e) {
            throw new AssertionError("repeat with -Dsim.seed=" + seed + ": " + e.getMessage(), e);
          }
        });
  }

  /// One seed's store, through several lives.
  private static final class Run implements StoreUnderTest {
    private final SplittableRandom random;
    private final Durability durability;
    private InstantSource time = InstantSource.system();
    private SimulatedDisk disk;

    Run(long seed) {
      random = new SplittableRandom(seed);
      durability = Durability.values()[(int) (seed % Durability.values().length)];
      disk = new SimulatedDisk(seed, FILE_CAPACITY_BYTES);
      disk.spoilsWholeSectors(SPOILT_BYTES[(int) (seed / Durability.values().length % 4)]);
    }

    @Override
    public BulkStore open(Limits limits, InstantSource clock) {
      time = clock;
      return open();
    }

    private LocalStore open() {
      return LocalStore.open(
          disk,
          StoreOptions.DEFAULTS
              .withDurability(durability)
              .withLimits(RandomOperations.LIMITS)
              .withBlobCacheBytes(0),
          time,
          SMALL);
    }

    @Override
    public BulkStore reopen(BulkStore store) {
      store.close();
      return open();
    }

    void run() {
      ModelCheck check = new ModelCheck(random.nextLong(), this);
      for (int round = 0; round < ROUNDS; round++) {
        boolean killed = random.nextInt(4) == 0;
        if (!killed) {
          disk.cutPowerAfter(1 + random.nextInt(400));
        }
        boolean cut = playUntilTheEnd(check);
        SimulatedDisk before = disk;
        disk = killed && !cut ? before.kill() : before.cutPower();
        abandon(check.store());
        LocalStore store = recover();
        assertThat(store.check().problems()).isEmpty();
        check.recovered(store, durability == Durability.LET_THE_SYSTEM);
      }
      check.compareAll();
      check.compareRetries();
      check.reopen(this);
      check.compareAll();
      check.store().close();
    }

    /// @return whether the power went
    private boolean playUntilTheEnd(ModelCheck check) {
      try {
        for (int step = 0; step < STEPS_MAX; step++) {
          check.step();
          if (random.nextInt(40) == 0) {
            check.reopen(this);
          }
        }
        return false;
      } catch (PowerCut e) {
        return true;
      }
    }

    /// The power may go again while the store recovers.
    private LocalStore recover() {
      while (random.nextInt(3) == 0) {
        disk.cutPowerAfter(1 + random.nextInt(60));
        try {
          LocalStore store = open();
          disk.cutPowerAfter(Long.MAX_VALUE >> 1);
          return store;
        } catch (PowerCut e) {
          disk = disk.cutPower();
        }
      }
      return open();
    }

    private static void abandon(BulkStore store) {
      try {
        store.close();
      } catch (PowerCut e) {
        // the disk is gone
      }
    }
  }
}
