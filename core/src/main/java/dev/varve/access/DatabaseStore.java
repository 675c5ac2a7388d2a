// SPDX-License-Identifier: Apache-2.0
package dev.varve.access;

import dev.varve.BulkStore;
import java.util.UUID;

/// A store in a database, which any number of programs have open at the same time.
public interface DatabaseStore extends BulkStore {

  /// The identity that the store got when the store was made.
  UUID storeId();

  /// The format of the store's tables.
  int formatVersion();
}
