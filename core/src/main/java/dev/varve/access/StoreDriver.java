// SPDX-License-Identifier: Apache-2.0
package dev.varve.access;

import dev.varve.StoreException;
import dev.varve.StoreOptions;

/// The way to the stores of one kind of database. A module that has such stores offers a driver to
/// [java.util.ServiceLoader]; programs without the module open folders only.
public interface StoreDriver {

  /// The beginning of the addresses that the driver opens, for a list of what can be opened, as
  /// `postgresql://`.
  String scheme();

  /// Returns whether the driver opens stores at an address.
  boolean opens(String address);

  /// The address as people may see the address: without user and password.
  ///
  /// @throws StoreException.Invalid if the address has another form
  String shown(String address);

  /// Opens a store; makes the store if there is none.
  ///
  /// @throws StoreException.Invalid if the address has another form
  /// @throws StoreException.Io if the database does not answer
  DatabaseStore open(String address, StoreOptions options);

  /// Opens a store.
  ///
  /// @throws StoreException.NoStore if there is none
  /// @throws StoreException.Invalid if the address has another form
  /// @throws StoreException.Io if the database does not answer
  DatabaseStore openExisting(String address, StoreOptions options);

  /// Makes what a database must have before the first store is made there, as far as it is missing.
  ///
  /// @param replication the places of the copies, in the words of the database
  /// @throws StoreException.Invalid if the address or the replication has another form, or if
  ///   stores of this kind need nothing
  default void prepare(String address, String replication) {
    throw new StoreException.Invalid(
        "store", "expected a store on a cluster, found " + shown(address));
  }
}
