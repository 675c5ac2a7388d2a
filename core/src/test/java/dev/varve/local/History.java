// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.Durability;
import dev.varve.StoreOptions;
import dev.varve.disk.Disk;
import dev.varve.disk.PowerCut;
import dev.varve.disk.SimulatedDisk;
import dev.varve.sim.Operation;
import dev.varve.sim.RandomOperations;
import dev.varve.sim.SimulatedTime;
import dev.varve.sim.StoreDifference;
import dev.varve.sim.StoreModel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// A store's life in several openings, kept as images of its disk and, for each, a model of what it
/// must hold.
final class History {

  static final StoreOptions OPTIONS =
      StoreOptions.DEFAULTS.withLimits(RandomOperations.LIMITS).withBlobCacheBytes(0);

  /// The disk at some moment, and what a store on it holds.
  record Moment(DiskImage image, StoreModel model) {}

  private final SimulatedTime time = SimulatedTime.standing();
  private final RandomOperations operations;
  private final StoreModel model =
      new StoreModel(RandomOperations.LIMITS, time, RandomOperations.CHUNKS);
  private final SimulatedDisk disk = new SimulatedDisk(0, DiskImage.FILE_CAPACITY_BYTES);

  private History(long seed) {
    operations = new RandomOperations(new SplittableRandom(seed));
  }

  /// After each of `lives` openings with `steps` operations the store is closed, but for the last:
  /// its process is killed.
  static List<Moment> of(long seed, int lives, int steps) {
    History history = new History(seed);
    List<Moment> moments = new ArrayList<>();
    for (int life = 1; life < lives; life++) {
      LocalStore store = open(history.disk, history.time);
      history.play(store, steps);
      store.close();
      moments.add(new Moment(DiskImage.of(history.disk), history.model.copy()));
    }
    LocalStore store = open(history.disk, history.time);
    history.play(store, steps);
    moments.add(new Moment(DiskImage.of(history.disk.kill()), history.model.copy()));
    abandon(store);
    return moments;
  }

  private void play(LocalStore store, int steps) {
    for (int i = 0; i < steps; i++) {
      time.advance(1);
      Operation operation = operations.next(model);
      Operation.Answer found = operation.ask(store);
      Operation.Answer expected = operation.ask(model);
      if (!found.equals(expected)) {
        throw new AssertionError(operation + ": expected " + expected + ", found " + found);
      }
    }
  }

  static LocalStore open(Disk disk) {
    return open(disk, SimulatedTime.standing());
  }

  static LocalStore open(Disk disk, SimulatedTime time) {
    return open(disk, time, Durability.FORCE_EACH);
  }

  static LocalStore open(Disk disk, SimulatedTime time, Durability durability) {
    return LocalStore.open(disk, OPTIONS.withDurability(durability), time, PowerCutStoreTest.SMALL);
  }

  /// Leaves a store whose process is dead.
  static void abandon(LocalStore store) {
    try {
      store.close();
    } catch (PowerCut e) {
      // its disk is gone
    }
  }

  /// The first difference between what a store holds and what it must hold; empty if there is none.
  static String difference(StoreModel expected, LocalStore found) {
    return StoreDifference.find(expected, found, RandomOperations.LIMITS.pageTurns()).orElse("");
  }
}
