// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.events;

/// Receives events.
@FunctionalInterface
public interface EventListener {

  /// Ignores all events.
  EventListener NONE = event -> {};

  /// Called by any thread, several at a time. Events of one context arrive in the order in which
  /// they happened, as long as one client writes to the context.
  void on(ServerEvent event);
}
