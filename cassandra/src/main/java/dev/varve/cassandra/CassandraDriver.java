// SPDX-License-Identifier: Apache-2.0
package dev.varve.cassandra;

import dev.varve.StoreOptions;
import dev.varve.access.DatabaseStore;
import dev.varve.access.StoreDriver;
import dev.varve.cassandra.cql.CassandraAddress;

/// The way to stores on Cassandra for programs that know only an address.
public final class CassandraDriver implements StoreDriver {

  @Override
  public String scheme() {
    return "cassandra://";
  }

  @Override
  public boolean opens(String address) {
    return CassandraAddress.isAddress(address);
  }

  @Override
  public String shown(String address) {
    return CassandraAddress.parse(address).toString();
  }

  @Override
  public DatabaseStore open(String address, StoreOptions options) {
    return CassandraStore.open(CassandraAddress.parse(address), options);
  }

  @Override
  public DatabaseStore openExisting(String address, StoreOptions options) {
    return CassandraStore.openExisting(CassandraAddress.parse(address), options);
  }

  @Override
  public void prepare(String address, String replication) {
    CassandraStore.prepare(CassandraAddress.parse(address), replication);
  }
}
