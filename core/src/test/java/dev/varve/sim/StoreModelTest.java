// SPDX-License-Identifier: Apache-2.0
package dev.varve.sim;

import dev.varve.Store;
import dev.varve.StoreLimits;
import dev.varve.contract.BulkContract;
import dev.varve.contract.DurableStoreContract;
import java.time.InstantSource;

/// The model keeps the contract to which it holds others.
class StoreModelTest extends DurableStoreContract implements BulkContract {

  @Override
  protected Store open(StoreLimits limits, InstantSource time) {
    return new StoreModel(limits, time);
  }

  @Override
  protected Store reopen(Store closed) {
    return ((StoreModel) closed).reopened();
  }
}
