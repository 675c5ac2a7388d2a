// SPDX-License-Identifier: Apache-2.0
package dev.varve.contract;

import dev.varve.Store;
import dev.varve.StoreLimits;
import dev.varve.sim.SimulatedTime;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/// Every implementation of [Store] passes this. A subclass only says how a store is opened.
public abstract class StoreContract
    implements ContextContract,
        AppendContract,
        RetryContract,
        ReadingContract,
        AncestryContract,
        BlobContract,
        LargeBlobContract,
        AssemblyContract,
        OverlayContract,
        WholeContract,
        ConcurrencyContract,
        InterruptContract {

  private final SimulatedTime time = SimulatedTime.ticking();
  private final List<Store> opened = new ArrayList<>();
  private @Nullable Store store;

  /// Opens a new, empty store.
  ///
  /// @param time where the store takes the time from; whole milliseconds
  protected abstract Store open(StoreLimits limits, InstantSource time) throws Exception;

  /// Called after each test, when all its stores are closed; the place to look whether they are
  /// sound.
  protected void afterClosing() throws Exception {}

  @Override
  public final synchronized Store store() { // the first to ask may be one of many threads
    Store open = store;
    if (open == null) {
      open = openWith(StoreLimits.DEFAULTS);
      store = open;
    }
    return open;
  }

  @Override
  public final synchronized Store openWith(StoreLimits limits) {
    try {
      Store open = open(limits, time);
      opened.add(open);
      return open;
    } catch (Exception e) {
      throw new AssertionError("could not open a store", e);
    }
  }

  @Override
  public final SimulatedTime time() {
    return time;
  }

  /// Another object now stands for the store of this test.
  final void replaceStore(Store other) {
    store = other;
    opened.add(other);
  }

  @AfterEach
  protected final void closeAll() throws Exception {
    opened.forEach(Store::close);
    afterClosing();
  }
}
