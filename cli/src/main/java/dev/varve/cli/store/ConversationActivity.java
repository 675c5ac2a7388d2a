// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.ContextHead;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.View;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The times at which the conversations of a store were last active, by the conversations' own
/// turns rather than by the time of an import.
///
/// The branches of an imported session and the context with the import's notes about the session
/// are one conversation. All of them have the time of the branch that was active last: the notes
/// name the content of every branch, and a later import needs the notes.
public final class ConversationActivity {

  private final Map<String, Instant> bySession;
  private final Store store;

  private ConversationActivity(Store store, Map<String, Instant> bySession) {
    this.store = store;
    this.bySession = bySession;
  }

  /// Reads the times of all conversations. Takes memory for each imported session.
  public static ConversationActivity of(Store store) {
    Map<String, Instant> bySession = new HashMap<>();
    for (ContextHead context : new AllContexts(store, 100)) {
      ContextDescription about = ContextDescription.of(context, store);
      if (!about.notes().isEmpty() && !about.isBookkeeping()) {
        Instant at = at(context, newestTurn(context, store));
        bySession.merge(about.notes(), at, ConversationActivity::later);
      }
    }
    return new ConversationActivity(store, bySession);
  }

  /// The time at which the conversation of a context was last active.
  public Instant lastAt(ContextHead context, ContextDescription about) {
    String notes = about.isBookkeeping() ? context.id().toString() : about.notes();
    Instant ofSession = bySession.get(notes);
    if (ofSession != null && about.isBookkeeping()) {
      return ofSession;
    }
    Instant own = at(context, newestTurn(context, store));
    return ofSession == null ? own : later(own, ofSession);
  }

  /// The newest turn of a context; empty if there is none, or the turn cannot be read, which `varve
  /// check` reports.
  static Optional<Turn> newestTurn(ContextHead context, Store store) {
    if (context.head().isNone()) {
      return Optional.empty();
    }
    try {
      return Optional.of(store.turn(context.head(), View.HEADERS));
    } catch (StoreException.Corrupt | StoreException.NotFound e) {
      return Optional.empty();
    }
  }

  /// The time of a context by its newest turn. A turn that claims to be of the future counts with
  /// the time of its writing.
  static Instant at(ContextHead context, Optional<Turn> newest) {
    return newest
        .map(Turn::createdAt)
        .filter(at -> at.isBefore(context.activeAt()))
        .orElse(context.activeAt());
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
