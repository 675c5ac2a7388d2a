// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import dev.varve.Store;
import dev.varve.StoreOptions;
import dev.varve.access.DatabaseStore;
import dev.varve.contract.DatabaseStoreContract;
import dev.varve.contract.EraseContract;
import dev.varve.contract.HoldContract;
import dev.varve.contract.SharedEraseContract;
import dev.varve.contract.SharedStoreContract;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;

/// The store in a real database keeps the contract, also for several services at once.
@Tag("database")
class PostgresStoreTest extends DatabaseStoreContract<PostgresAddress>
    implements SharedStoreContract, EraseContract, SharedEraseContract, HoldContract {

  @Override
  protected PostgresAddress freshAddress() {
    return PostgresServer.shared().freshSchema();
  }

  @Override
  protected Store open(PostgresAddress address, StoreOptions options, InstantSource time) {
    return PostgresStore.open(address, options, time, true);
  }

  @Override
  public Supplier<DatabaseStore> freshStore() {
    PostgresAddress address = freshAddress();
    return () -> PostgresStore.open(address, StoreOptions.DEFAULTS);
  }
}
