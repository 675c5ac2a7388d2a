// SPDX-License-Identifier: Apache-2.0
package dev.varve.sim;

import dev.varve.BulkStore;
import dev.varve.StoreCounts;
import dev.varve.StoreException;
import dev.varve.TurnPage;
import java.util.function.Function;

/// Something that is asked of a store, with all its arguments.
///
/// @param text how it reads in the report of a failure
/// @param turnsMax the most turns that it appends
public record Operation(String text, int turnsMax, Function<BulkStore, Object> action) {

  public Operation(String text, Function<BulkStore, Object> action) {
    this(text, 1, action);
  }

  /// What a store does when asked.
  public sealed interface Answer {}

  public record Answered(Object value) implements Answer {}

  /// Refusals are compared by their type; the message is each store's own.
  public record Refused(Class<? extends StoreException> type) implements Answer {}

  public Answer ask(BulkStore store) {
    try {
      return new Answered(comparable(action.apply(store)));
    } catch (StoreException refusal) {
      return new Refused(refusal.getClass());
    }
  }

  /// The answer without what differs between right stores.
  private static Object comparable(Object value) {
    return switch (value) {
      case StoreCounts c ->
          new StoreCounts(
              c.contexts(), c.turns(), c.blobs(), c.overlays(), c.types(), c.rawBytes(), 0, 0);
      // An empty page has no oldest turn, so its cursor has no meaning.
      case TurnPage page when page.turns().isEmpty() ->
          new TurnPage(page.head(), page.turns(), null);
      default -> value;
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
