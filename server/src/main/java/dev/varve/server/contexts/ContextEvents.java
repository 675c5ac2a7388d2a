// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.StoreException;
import dev.varve.server.events.EventListener;
import dev.varve.server.events.ServerEvent;

/// A listener between the ports and the event hub: keeps sessions and index up to date, and adds
/// events about the metadata that a turn declared.
///
/// @param next receives every event, each before the events that were derived from it
public record ContextEvents(LiveSessions sessions, ContextIndex index, EventListener next)
    implements EventListener {

  @Override
  public void on(ServerEvent event) {
    sessions.on(event);
    index.on(event);
    next.on(
        event instanceof ServerEvent.ContextMetadataUpdated said
            ? index.metadata(said.context())
            : event);
    if (event instanceof ServerEvent.TurnAppended added) {
      try {
        index.news(added.turn()).forEach(next::on);
      } catch (StoreException e) {
        // The turn is stored; a client that reads the turn learns what is wrong with the store.
      }
    }
  }
}
