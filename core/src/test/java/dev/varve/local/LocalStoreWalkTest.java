// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.BulkStore;
import dev.varve.Durability;
import dev.varve.StoreLimits;
import dev.varve.StoreOptions;
import dev.varve.disk.LocalDisk;
import dev.varve.sim.ModelCheck;
import dev.varve.sim.RandomOperations;
import dev.varve.sim.StoreUnderTest;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A random walk over the store on a real disk, step by step beside the model.
class LocalStoreWalkTest {

  private static final StoreGeometry SMALL_CHUNKS =
      new StoreGeometry(
          StoreGeometry.DEFAULTS.growth(),
          StoreGeometry.DEFAULTS.journal(),
          StoreGeometry.DEFAULTS.inPlaceBytes(),
          RandomOperations.CHUNKS);

  @TempDir Path folder;

  private record OnDisk(Path folder, StoreOptions options, InstantSource[] time)
      implements StoreUnderTest {
    @Override
    public BulkStore open(StoreLimits limits, InstantSource clock) {
      time[0] = clock;
      return LocalStore.open(
          LocalDisk.open(folder), options.withLimits(limits), clock, SMALL_CHUNKS);
    }

    @Override
    public BulkStore reopen(BulkStore store) {
      store.close();
      return open(RandomOperations.LIMITS, time[0]);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void everyAnswerIsTheModels(long seed) {
    StoreOptions options = StoreOptions.DEFAULTS.withDurability(Durability.LET_THE_SYSTEM);
    ModelCheck.run(seed, 600, new OnDisk(folder, options, new InstantSource[1]));
  }
}
