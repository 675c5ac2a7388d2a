// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import dev.varve.Store;
import dev.varve.StoreOptions;
import dev.varve.access.DatabaseStore;
import dev.varve.cassandra.cql.CassandraAddress;
import dev.varve.contract.DatabaseStoreContract;
import dev.varve.contract.EraseContract;
import dev.varve.contract.HoldContract;
import dev.varve.contract.SharedEraseContract;
import dev.varve.contract.SharedStoreContract;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;

/// The store on a real node keeps the contract, also for several services at once.
@Tag("cluster")
class CassandraStoreTest extends DatabaseStoreContract<CassandraAddress>
    implements SharedStoreContract, EraseContract, SharedEraseContract, HoldContract {

  @Override
  protected CassandraAddress freshAddress() {
    return CassandraCluster.shared().freshStore();
  }

  @Override
  protected Store open(CassandraAddress address, StoreOptions options, InstantSource time) {
    return CassandraStore.open(address, options, time, true);
  }

  @Override
  public Supplier<DatabaseStore> freshStore() {
    CassandraAddress address = freshAddress();
    return () -> CassandraStore.open(address, StoreOptions.DEFAULTS);
  }
}
