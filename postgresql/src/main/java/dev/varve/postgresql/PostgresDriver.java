// SPDX-License-Identifier: Apache-2.0
package dev.varve.postgresql;

import dev.varve.StoreOptions;
import dev.varve.access.DatabaseStore;
import dev.varve.access.StoreDriver;

/// The way to stores in PostgreSQL for programs that know only an address.
public final class PostgresDriver implements StoreDriver {

  @Override
  public String scheme() {
    return "postgresql://";
  }

  @Override
  public boolean opens(String address) {
    return PostgresAddress.isAddress(address);
  }

  @Override
  public String shown(String address) {
    return PostgresAddress.parse(address).toString();
  }

  @Override
  public DatabaseStore open(String address, StoreOptions options) {
    return PostgresStore.open(PostgresAddress.parse(address), options);
  }

  @Override
  public DatabaseStore openExisting(String address, StoreOptions options) {
    return PostgresStore.openExisting(PostgresAddress.parse(address), options);
  }
}
