// SPDX-License-Identifier: Apache-2.0
package dev.varve.sim;

import dev.varve.BulkStore;
import dev.varve.StoreLimits;
import java.time.InstantSource;

/// How a [ModelCheck] gets at the store it looks at.
public interface StoreUnderTest {

  /// Opens a new, empty store.
  BulkStore open(StoreLimits limits, InstantSource time);

  /// Closes a store and opens it again, with the same limits and the same clock.
  BulkStore reopen(BulkStore store);
}
