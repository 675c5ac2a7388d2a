// SPDX-License-Identifier: Apache-2.0
package dev.varve.database;

import dev.varve.EraseReceipt;
import dev.varve.Payload;
import dev.varve.StoreErasures;
import java.util.Optional;

/// Erasures of a store in a database, whose receipts and memories are rows.
public interface RecordedErasures extends StoreErasures {

  /// The number of the last erasure that is done; 0 for none.
  int last();

  /// The receipt of an erasure; empty if there was none with the number. Its plan has the counts
  /// and the turns, and no lists of blobs.
  Optional<EraseReceipt> receipt(int run);

  /// Notes that content may come back.
  ///
  /// @return how many of the content's names the store had
  /// @throws dev.varve.StoreException.NotFound if there were none
  int readmit(Payload content);
}
