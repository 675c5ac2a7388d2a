// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The holds of a store: contexts that no erasure takes anything from. A change is durable when its
/// method returns.
public interface ContextHolds {

  /// The most holds of a store.
  int HOLDS_MAX = 10_000;

  /// Places a hold on a context, or replaces the context's hold.
  ///
  /// @param until when the hold ends; null for a hold without an end
  /// @param reason one line for people, may be empty
  /// @throws StoreException.NotFound if the context was never created
  /// @throws StoreException.Invalid if `until` is not in the future, or [ContextHold] refuses
  /// @throws StoreException.TooLarge if the store has [#HOLDS_MAX] holds
  ContextHold hold(ContextId context, @Nullable Instant until, String reason);

  /// Ends the hold of a context.
  ///
  /// @return the hold that ended; empty if the context had none
  Optional<ContextHold> release(ContextId context);

  /// All holds by the numbers of their contexts, also those whose time is over.
  List<ContextHold> all();
}
