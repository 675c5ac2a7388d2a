// SPDX-License-Identifier: Apache-2.0
package dev.varve.folder;

import dev.varve.Store;
import java.nio.file.Path;
import java.util.Optional;

/// A store that is opened for a moment, used, and closed: others want it too.
public interface StoreDoor {

  /// The store's folder. No capture looks into it.
  Path folder();

  /// Opens it, making one if there is none; waits a little for another process.
  ///
  /// @throws dev.varve.StoreException.Busy if the other one does not let go of it
  Store open();

  /// The same, but does not make one: empty if there is none.
  Optional<Store> openIfThere();

  /// The file that a store has from its beginning to its end: if it is another one, it is another
  /// store.
  default Path mark() {
    return folder().resolve("varve.store");
  }
}
