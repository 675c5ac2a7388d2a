// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.ContextId;
import dev.varve.DeclaredType;
import dev.varve.Durability;
import dev.varve.Encoding;
import dev.varve.NewTurn;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.disk.SimulatedDisk;
import dev.varve.sim.Operation;
import dev.varve.sim.RandomOperations;
import dev.varve.sim.SimulatedTime;
import dev.varve.sim.StoreModel;
import dev.varve.sim.StreamedPut;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A disk that refuses, at each place of a scenario where it can: what was acknowledged stays,
/// reads go on, writes are refused by name until the store is opened again, and then it goes on as
/// if nothing had been.
class DiskTroubleTest {

  private static final int STEPS = 40;

  /// How often each write fails: what a cut then leaves of the disk is another each time.
  private static final int ROUNDS = 6;

  private static HeardLog log;

  @BeforeAll
  static void listen() {
    log = new HeardLog();
  }

  @AfterAll
  static void stopListening() {
    log.close();
  }

  @ParameterizedTest
  @EnumSource(SimulatedDisk.Fault.class)
  void everyWriteMayFail(SimulatedDisk.Fault fault) {
    long writes = withoutTrouble().writes();
    int noticed = 0;
    for (long before = 0; before < writes; before++) {
      long first = before;
      for (int round = 0; round < ROUNDS; round++) {
        Scenario scenario = new Scenario(first + round, Durability.FORCE_EACH);
        noticed += scenario.meets(disk -> disk.failAfterWrites(first, fault)) ? 1 : 0;
      }
    }
    assertThat(noticed).as("writes that failed, and somebody was told").isGreaterThan(60 * ROUNDS);
  }

  private static SimulatedDisk withoutTrouble() {
    Scenario scenario = new Scenario(0, Durability.FORCE_EACH);
    assertThat(scenario.isMet()).isFalse();
    return scenario.disk;
  }

  /// A force that failed is not tried again and believed: what the system dropped is written anew.
  @ParameterizedTest
  @EnumSource(names = {"FORCE_EACH", "LET_THE_SYSTEM"})
  void everyForceMayFail(Durability durability) {
    SimulatedDisk disk = withoutTrouble();
    int noticed = 0;
    for (long before = 0; before < disk.forces() + disk.nameForces(); before++) {
      long first = before;
      Scenario scenario = new Scenario(first, durability);
      try {
        noticed += scenario.meets(failing -> failing.failForce(first)) ? 1 : 0;
      } catch (RuntimeException | Error e) {
        throw new AssertionError("force " + first + " failed: " + e.getMessage(), e);
      }
    }
    assertThat(noticed).as("forces that failed, and somebody was told").isGreaterThan(3);
  }

  /// From hardly enough for an empty store to enough for the whole scenario. While the disk is full
  /// the store can still be opened and read.
  @Test
  void theDiskMayBeOfAnySize() {
    long bytes = 4 << 10;
    int full = 0;
    while (true) {
      long capacity = bytes;
      Scenario scenario = new Scenario(bytes >> 10, Durability.FORCE_EACH);
      if (!scenario.meets(disk -> disk.capacityBytes(capacity))) {
        break;
      }
      full++;
      bytes += 3 << 10;
    }
    assertThat(full).as("sizes that were too small").isGreaterThan(20);
  }

  /// A recovery that breaks off leaves everything for the next.
  @Test
  void everyForceAndEveryWriteOfARecoveryMayFail() {
    History.Moment crashed = History.of(4, 2, 60).getLast();
    long refused = 0;
    for (int first = 0; first < 60; first++) {
      refused += recover(crashed, first, disk -> disk::failForce);
      refused +=
          recover(crashed, first, disk -> n -> disk.failAfterWrites(n, SimulatedDisk.Fault.IO));
      refused +=
          recover(crashed, first, disk -> n -> disk.failAfterWrites(n, SimulatedDisk.Fault.FULL));
    }
    assertThat(refused).as("openings that were refused").isGreaterThan(30);
  }

  private static int recover(
      History.Moment crashed, long first, Function<SimulatedDisk, LongConsumer> trouble) {
    SimulatedDisk disk = crashed.image().disk();
    trouble.apply(disk).accept(first);
    int refused = 0;
    try (LocalStore store = History.open(disk)) {
      assertThat(History.difference(crashed.model(), store)).isEmpty();
    } catch (StoreException.Io | StoreException.Full e) {
      refused = 1;
    }
    assertThat(disk.openFiles()).as("files left open").isZero();
    disk.repair();
    try (LocalStore store = History.open(disk)) {
      assertThat(History.difference(crashed.model(), store)).isEmpty();
      assertThat(store.check().problems()).isEmpty();
    }
    try (LocalStore store = History.open(disk.cutPower())) {
      assertThat(History.difference(crashed.model(), store)).isEmpty();
      assertThat(store.check().problems()).isEmpty();
    }
    return refused;
  }

  /// A few operations on a store that was opened once before.
  private static final class Scenario {
    private final SimulatedTime time = SimulatedTime.standing();
    private final RandomOperations operations = new RandomOperations(new SplittableRandom(5));
    private StoreModel model =
        new StoreModel(RandomOperations.LIMITS, time, RandomOperations.CHUNKS);
    private SimulatedDisk disk;
    private final long seed;
    private final Durability durability;
    private boolean refused;

    /// What the store may hold since an operation was refused.
    private List<StoreModel> possible = List.of();

    Scenario(long seed, Durability durability) {
      this.seed = seed;
      this.durability = durability;
      disk = new SimulatedDisk(seed, DiskImage.FILE_CAPACITY_BYTES);
    }

    /// @return whether the trouble was met
    ///
    ///   Every other time the power goes as well; else the system still has what was never forced.
    boolean meets(Consumer<SimulatedDisk> trouble) {
      trouble.accept(disk);
      boolean met = isMet();
      disk.repair();
      if (seed % 2 == 1 && durability != Durability.LET_THE_SYSTEM) {
        disk = disk.cutPower();
      }
      if (met) {
        openWhileFull();
      }
      disk.capacityBytes(Long.MAX_VALUE);
      goOn(History.open(disk, time, durability));
      return met;
    }

    private boolean isMet() {
      LocalStore store;
      try {
        store = History.open(disk, time, durability);
      } catch (StoreException.Full | StoreException.Io e) {
        return true;
      }
      for (int step = 0; step < STEPS && !refused; step++) {
        time.advance(1);
        Operation operation = operations.next(model);
        Operation.Answer found = operation.ask(store);
        if (found instanceof Operation.Refused(var type) && isOfTheDisk(type)) {
          refused = true;
          possible = StreamedPut.brokenOff(model, operation);
        } else {
          assertThat(found).as(operation.text()).isEqualTo(operation.ask(model));
        }
      }
      if (refused) {
        assertThat(find(store)).as("reads go on").isNotNull();
        LocalStore failed = store;
        assertRefused(() -> failed.createContext());
        assertRefused(() -> failed.put(Payload.utf8("more")));
        assertThat(find(store)).as("reads still go on").isNotNull();
      }
      boolean closed = false;
      try {
        store.close();
        closed = true;
      } catch (StoreException.Full | StoreException.Io e) {
        // said so; the next opening finds all
      }
      assertThat(disk.openFiles()).as("files left open").isZero();
      return refused || !closed;
    }

    private static boolean isOfTheDisk(Class<? extends StoreException> type) {
      return type == StoreException.Full.class || type == StoreException.Io.class;
    }

    private static void assertRefused(ThrowingCallable write) {
      assertThatThrownBy(write).isInstanceOfAny(StoreException.Full.class, StoreException.Io.class);
    }

    /// A full disk may be too full even for opening, but then it says so.
    private void openWhileFull() {
      try (LocalStore store = History.open(disk, time, durability)) {
        assertHolds(store);
      } catch (StoreException.Full e) {
        assertThat(disk.openFiles()).as("files left open").isZero();
      }
    }

    private @Nullable StoreModel find(LocalStore store) {
      for (StoreModel state : possible) {
        if (History.difference(state, store).isEmpty()) {
          return state;
        }
      }
      return null;
    }

    /// What was refused has happened or has not, but for a put as a stream, which may have come
    /// anywhere.
    private void assertHolds(LocalStore store) {
      assertThat(store.check().problems()).isEmpty();
      StoreModel found = find(store);
      if (found != null) {
        model = found;
        possible = List.of();
      }
      assertThat(History.difference(model, store)).isEmpty();
    }

    /// Writes on, and lets the power go after closing: what was forced at last must have been.
    private void goOn(LocalStore store) {
      assertHolds(store);
      var head = store.createContext();
      model.giveNext(head.id());
      assertThat(model.createContext()).isEqualTo(head);
      ContextId context = head.id();
      for (int i = 0; i < 20; i++) {
        NewTurn turn =
            NewTurn.of(Payload.utf8("on " + i), new DeclaredType("sim.Message", 0), Encoding.JSON);
        Turn stored = store.append(context, turn);
        model.giveNext(stored.id());
        model.append(context, turn);
      }
      store.close();
      SimulatedDisk after = disk.cutPower();
      LocalStore again = History.open(after, time, durability);
      assertThat(History.difference(model, again)).isEmpty();
      assertThat(again.check().problems()).isEmpty();
      again.close();
    }
  }
}
