// SPDX-License-Identifier: Apache-2.0
package dev.varve.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.Store;
import dev.varve.StoreLimits;
import dev.varve.StoreOptions;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/// The contract of a store in a database, which is sound whenever it was closed.
///
/// @param <A> the addresses of such stores
public abstract class DatabaseStoreContract<A> extends DurableStoreContract
    implements BulkContract {

  private record Opening<A>(A address, StoreLimits limits, InstantSource time) {}

  private final Map<Store, Opening<A>> openings = new HashMap<>();

  /// The address of a store that nobody has used yet.
  protected abstract A freshAddress();

  /// Opens a store, making the store if there is none.
  protected abstract Store open(A address, StoreOptions options, InstantSource time);

  @Override
  protected final Store open(StoreLimits limits, InstantSource time) {
    return open(new Opening<>(freshAddress(), limits, time));
  }

  private Store open(Opening<A> opening) {
    StoreOptions options = StoreOptions.DEFAULTS.withLimits(opening.limits());
    Store store = open(opening.address(), options, opening.time());
    openings.put(store, opening);
    return store;
  }

  @Override
  protected final Store reopen(Store closed) {
    return open(openings.get(closed));
  }

  @Override
  protected final void afterClosing() {
    for (Opening<A> opening : openings.values()) {
      try (Store store = open(opening.address(), StoreOptions.DEFAULTS, InstantSource.system())) {
        assertThat(store.check().problems()).isEmpty();
      }
    }
  }
}
