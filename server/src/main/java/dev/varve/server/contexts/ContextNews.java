// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.StoreException;
import dev.varve.server.events.EventListener;
import dev.varve.server.events.ServerEvent;

/// Stands between the ports and those who listen: keeps the sessions and the index up to date, and
/// adds to what happened what it says of contexts.
///
/// @param next hears everything, each event before what it says
public record ContextNews(LiveSessions sessions, ContextIndex index, EventListener next)
    implements EventListener {

  @Override
  public void on(ServerEvent event) {
    sessions.on(event);
    index.on(event);
    next.on(event);
    if (event instanceof ServerEvent.TurnAppended added) {
      try {
        index.news(added.turn()).forEach(next::on);
      } catch (StoreException e) {
        // The turn is there; who asks for it is told what is wrong with the store.
      }
    }
  }
}
