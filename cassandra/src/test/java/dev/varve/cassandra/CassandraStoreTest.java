// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.Store;
import dev.varve.StoreLimits;
import dev.varve.StoreOptions;
import dev.varve.contract.BulkContract;
import dev.varve.contract.DurableStoreContract;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/// The store on a real node keeps the contract, and is sound whenever it was closed.
@Tag("cluster")
class CassandraStoreTest extends DurableStoreContract implements BulkContract {

  private record Opening(CassandraAddress address, StoreLimits limits, InstantSource time) {}

  private final Map<Store, Opening> openings = new HashMap<>();

  @Override
  protected Store open(StoreLimits limits, InstantSource time) {
    return open(new Opening(CassandraCluster.shared().freshStore(), limits, time));
  }

  private Store open(Opening opening) {
    Store store =
        CassandraStore.open(
            opening.address(),
            StoreOptions.DEFAULTS.withLimits(opening.limits()),
            opening.time(),
            true);
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
      try (Store store = CassandraStore.openExisting(opening.address(), StoreOptions.DEFAULTS)) {
        assertThat(store.check().problems()).isEmpty();
      }
    }
  }
}
