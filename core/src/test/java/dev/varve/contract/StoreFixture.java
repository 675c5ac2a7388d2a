// SPDX-License-Identifier: Apache-2.0
package dev.varve.contract;

import dev.varve.Store;
import dev.varve.StoreLimits;
import dev.varve.sim.SimulatedTime;

/// What the chapters of the contract stand on. All stores are closed when a test has ended.
public interface StoreFixture {

  /// The store of this test; empty at first, with the default limits.
  Store store();

  /// One more store, empty, with other limits.
  Store openWith(StoreLimits limits);

  /// The clock that the stores look at. It ticks.
  SimulatedTime time();
}
