// SPDX-License-Identifier: Apache-2.0
package dev.varve.access;

import dev.varve.BulkStore;
import dev.varve.Overlay;
import java.util.List;
import java.util.UUID;

/// A store in a database, which any number of programs have open at the same time.
public interface DatabaseStore extends BulkStore {

  /// The identity that the store got when the store was made.
  UUID storeId();

  /// The format of the store's tables.
  int formatVersion();

  /// The newest objects that can be seen now.
  StoreMark mark();

  /// The overlays behind a sequence, in the order in which they were written.
  ///
  /// @param limit the most overlays; an empty page is the end
  List<Overlay> overlaysAfter(long seq, int limit);

  /// Sets the action that follows the closing of the store.
  void afterClose(Runnable action);
}
