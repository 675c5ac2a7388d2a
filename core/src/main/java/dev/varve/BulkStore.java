// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A store into which the history of another can be brought with its numbers and times.
public interface BulkStore extends Store {

  /// Appends a turn under a number that was given elsewhere. Moves no head.
  ///
  /// @param id greater than any turn number this store has given or taken so far
  /// @param context the context it was appended through; need not exist yet
  /// @param turn `parent` is required ([TurnId#NONE] for a root); `expectedHead` and its own time
  ///   are ignored
  /// @throws StoreException.Conflict if `id` is not greater than all before it
  Turn restoreTurn(TurnId id, ContextId context, NewTurn turn, Instant createdAt);

  /// Makes a context under a number that was given elsewhere.
  ///
  /// @throws StoreException.Conflict if the number is taken
  ContextHead restoreContext(
      ContextId id,
      TurnId head,
      TurnId base,
      Instant createdAt,
      Instant activeAt,
      @Nullable BlobHash about);
}
