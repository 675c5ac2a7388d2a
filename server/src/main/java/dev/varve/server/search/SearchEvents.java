// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.search;

import dev.varve.server.events.EventListener;
import dev.varve.server.events.ServerEvent;

/// A listener before the event hub that lets the search know of every change.
///
/// @param next receives every event
public record SearchEvents(LiveSearch search, EventListener next) implements EventListener {

  @Override
  public void on(ServerEvent event) {
    search.on(event);
    next.on(event);
  }
}
