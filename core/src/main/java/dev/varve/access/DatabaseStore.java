// SPDX-License-Identifier: Apache-2.0
package dev.varve.access;

import dev.varve.BulkStore;
import dev.varve.EraseReceipt;
import dev.varve.Payload;
import dev.varve.StoreException;
import java.util.Optional;
import java.util.UUID;

/// A store in a database, which any number of programs have open at the same time.
public interface DatabaseStore extends BulkStore {

  /// The identity that the store got when the store was made.
  UUID storeId();

  /// The format of the store's tables.
  int formatVersion();

  /// The newest objects that can be seen now.
  StoreMark mark();

  @Override
  default int lastErasure() {
    return 0;
  }

  /// The receipt of an erasure; empty if there was none with the number.
  default Optional<EraseReceipt> receipt(int run) {
    return Optional.empty();
  }

  /// Notes that content that was erased may come back. Brings no byte back.
  ///
  /// @return how many names the store readmits: that of the content, and those of its pieces
  /// @throws StoreException.NotFound if the content was not erased
  /// @throws StoreException.Invalid if nothing can be erased from the store
  default int readmit(Payload content) {
    throw new StoreException.Invalid(
        "readmit", "expected a store from which content can be erased, found another");
  }

  /// Sets the action that follows the closing of the store.
  void afterClose(Runnable action);
}
