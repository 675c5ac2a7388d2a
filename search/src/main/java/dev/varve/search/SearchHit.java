// SPDX-License-Identifier: Apache-2.0
package dev.varve.search;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.TurnId;
import dev.varve.search.text.FoundText;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A text that was found, at the newest of its places.
///
/// @param text the whole text and what is known of it; credentials are masked
/// @param snippet the part of the text that was asked for
/// @param branches how many contexts have the text's turns on their paths; at least 1
public record SearchHit(Place place, FoundText text, Snippet snippet, int branches) {

  /// The place of a text.
  ///
  /// @param turn [TurnId#NONE] for the title in a context's description
  /// @param payload null for the title in a context's description
  public record Place(
      ContextId context, ContextFacts facts, TurnId turn, @Nullable BlobHash payload, Instant at) {}
}
