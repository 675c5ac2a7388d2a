// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.exchange;

import dev.varve.BulkStore;
import dev.varve.Store;
import dev.varve.access.StoreVisits;
import dev.varve.sim.ForwardingStore;
import java.util.function.Function;

/// Visits to a store that stays open behind them; whether somebody is in.
class WatchedVisits extends StoreVisits {

  private volatile boolean held;

  WatchedVisits(Store store) {
    super(
        () ->
            new ForwardingStore((BulkStore) store) {
              @Override
              public void close() {}
            });
  }

  @Override
  public <T> T ask(Function<Store, T> question) {
    held = true;
    try {
      return super.ask(question);
    } finally {
      held = false;
    }
  }

  boolean held() {
    return held;
  }
}
