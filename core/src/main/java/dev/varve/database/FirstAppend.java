// SPDX-License-Identifier: Apache-2.0
package dev.varve.database;

import dev.varve.BlobHash;
import dev.varve.NewTurn;
import dev.varve.StoreException;
import dev.varve.Turn;

/// The rule of idempotency keys: a key stands for one content.
public final class FirstAppend {

  private FirstAppend() {}

  /// The turn that was appended under the key of a retry before.
  ///
  /// @param first that turn, as the turn was written
  /// @param payload the hash of the retry's payload
  /// @throws StoreException.Conflict if the retry has other content
  public static Turn require(Turn first, NewTurn retry, BlobHash payload) {
    if (!first.type().equals(retry.type())
        || !first.encoding().equals(retry.encoding())
        || !first.payloadHash().equals(payload)) {
      throw new StoreException.Conflict(
          "idempotency key", "the content of turn " + first.id(), retry.type() + " " + payload);
    }
    return first;
  }
}
