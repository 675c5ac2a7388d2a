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
}
