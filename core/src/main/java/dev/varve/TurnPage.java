// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Some consecutive turns of a context, oldest first.
///
/// @param head the context as it was when the page was read
/// @param nextCursor pass to [Store#before] for the turns older than these (the spec's
///   `next_cursor_turn_id`); null when the page reaches the root
public record TurnPage(ContextHead head, List<Turn> turns, @Nullable TurnId nextCursor) {
  public TurnPage {
    turns = List.copyOf(turns);
  }
}
