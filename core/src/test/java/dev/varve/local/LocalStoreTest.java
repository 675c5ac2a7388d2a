// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.Store;
import dev.varve.StoreLimits;
import dev.varve.StoreOptions;
import dev.varve.contract.BulkContract;
import dev.varve.contract.DurableStoreContract;
import dev.varve.contract.EraseContract;
import dev.varve.contract.HoldContract;
import dev.varve.disk.LocalDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/// The store on a real disk keeps the contract, and is sound whenever it was closed.
class LocalStoreTest extends DurableStoreContract
    implements BulkContract, EraseContract, HoldContract {

  @TempDir Path folder;
  private final Map<Store, Opening> openings = new HashMap<>();

  private record Opening(Path folder, StoreLimits limits, InstantSource time) {}

  @Override
  protected Store open(StoreLimits limits, InstantSource time) throws Exception {
    return open(new Opening(Files.createTempDirectory(folder, "store"), limits, time));
  }

  private Store open(Opening opening) {
    Store store =
        LocalStore.open(
            LocalDisk.open(opening.folder()),
            StoreOptions.DEFAULTS.withLimits(opening.limits()),
            opening.time(),
            StoreGeometry.DEFAULTS);
    openings.put(store, opening);
    return store;
  }

  @Override
  protected Store reopen(Store closed) {
    return open(openings.get(closed));
  }

  @Override
  protected void afterClosing() {
    for (Opening opening : openings.values()) {
      try (LocalStore store = LocalStore.open(opening.folder(), StoreOptions.DEFAULTS)) {
        assertThat(store.check().problems()).isEmpty();
      }
    }
  }
}
