// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.BlobHash;
import dev.varve.BulkStore;
import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Durability;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreLimits;
import dev.varve.StoreOptions;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.disk.Disk;
import dev.varve.disk.PowerCut;
import dev.varve.disk.SimulatedDisk;
import dev.varve.sim.ForwardingStore;
import dev.varve.sim.ModelCheck;
import dev.varve.sim.RandomOperations;
import dev.varve.sim.StoreUnderTest;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// One store's random life on a disk whose power is cut, also while the store recovers. After each
/// cut the store must hold what was answered, and nothing half.
final class PowerCutRun implements StoreUnderTest {

  private static final int[] SPOILT_BYTES = {0, 512, 0, 4096};
  private static final int ROUNDS = 3;
  private static final int STEPS_MAX = 60;

  private final SplittableRandom random;
  private final Durability durability;
  private final UnaryOperator<Disk> view;
  private final Given given = new Given();
  private InstantSource time = InstantSource.system();
  private SimulatedDisk disk;

  /// @param view how the store sees the disk: as it is, or through something that breaks a promise
  PowerCutRun(long seed, UnaryOperator<Disk> view) {
    this.random = new SplittableRandom(seed);
    this.view = view;
    durability = Durability.values()[(int) (seed % Durability.values().length)];
    disk = new SimulatedDisk(seed, DiskImage.FILE_CAPACITY_BYTES);
    disk.spoilsWholeSectors(SPOILT_BYTES[(int) (seed / Durability.values().length % 4)]);
  }

  @Override
  public BulkStore open(StoreLimits limits, InstantSource clock) {
    time = clock;
    return given.watch(open());
  }

  private LocalStore open() {
    return open(disk);
  }

  private LocalStore open(SimulatedDisk chosen) {
    return LocalStore.open(
        view.apply(chosen),
        StoreOptions.DEFAULTS
            .withDurability(durability)
            .withLimits(RandomOperations.LIMITS)
            .withBlobCacheBytes(0),
        time,
        PowerCutStoreTest.SMALL);
  }

  @Override
  public BulkStore reopen(BulkStore store) {
    store.close();
    return given.watch(open());
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
      goOn(check, recover());
    }
    compare(check);
  }

  /// The same `steps` operations each time; the power goes at the `operation`-th of the disk's.
  ///
  /// @return whether the store was closed before that
  boolean run(int steps, long operation) {
    disk.cutPowerAfter(operation);
    boolean cut = false;
    ModelCheck check = null;
    try {
      check = new ModelCheck(1, this);
      for (int step = 0; step < steps; step++) {
        check.step();
        if (step == steps / 2) {
          check.reopen(this);
        }
      }
      check.store().close();
    } catch (PowerCut e) {
      cut = true;
    }
    disk = disk.cutPower();
    if (check == null) {
      disk.cutPowerAfter(Long.MAX_VALUE >> 1);
      check = new ModelCheck(1, this); // the store was not made yet, or not wholly
      check.step();
    } else {
      abandon(check.store());
      goOn(check, open());
    }
    compare(check);
    return !cut;
  }

  private void goOn(ModelCheck check, LocalStore store) {
    assertThat(store.check().problems()).isEmpty();
    check.recovered(given.watch(store), durability == Durability.LET_THE_SYSTEM);
  }

  private void compare(ModelCheck check) {
    check.compareAll();
    check.compareRetries();
    check.reopen(this);
    check.compareAll();
    given.assertNotGivenAgain(check.store());
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
    CutRecovery recovery = CutRecovery.of(disk, random, 60, this::open);
    disk = recovery.disk();
    return recovery.store();
  }

  /// Ends the threads of a store whose disk is gone.
  static void abandon(BulkStore store) {
    try {
      store.close();
    } catch (PowerCut e) {
      // the disk is gone
    }
  }

  /// The greatest numbers that any of the stores has given so far, lost since or not.
  private static final class Given {
    private long turn;
    private long context;

    BulkStore watch(LocalStore store) {
      return new ForwardingStore(store) {
        @Override
        public Turn append(ContextId context, NewTurn appended) {
          Turn answer = super.append(context, appended);
          turn = Math.max(turn, answer.id().value());
          return answer;
        }

        @Override
        public List<TurnId> appendRun(ContextId context, List<NewTurn> run) {
          List<TurnId> answer = super.appendRun(context, run);
          turn = Math.max(turn, answer.getLast().value());
          return answer;
        }

        @Override
        public ContextHead createContext(TurnId base, @Nullable BlobHash about) {
          ContextHead answer = super.createContext(base, about);
          context = Math.max(context, answer.id().value());
          return answer;
        }
      };
    }

    void assertNotGivenAgain(BulkStore store) {
      long contextBefore = context;
      long turnBefore = turn;
      ContextId fresh = store.createContext().id();
      assertThat(fresh.value()).isGreaterThan(contextBefore);
      NewTurn last =
          NewTurn.of(Payload.utf8("last"), new DeclaredType("sim.Message", 0), Encoding.JSON);
      assertThat(store.append(fresh, last).id().value()).isGreaterThan(turnBefore);
    }
  }
}
