// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.events;

/// Hears of what happens.
@FunctionalInterface
public interface EventListener {

  /// Hears nothing.
  EventListener NONE = event -> {};

  /// Called by any thread, several at a time. Events of one context come in the order in which they
  /// happened as long as one client writes to it.
  void on(ServerEvent event);
}
