// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.Store;
import dev.varve.server.access.Authenticator;
import dev.varve.server.events.EventListener;
import dev.varve.server.logs.RequestLog;
import dev.varve.server.metrics.RequestMeter;

/// The parts of the service that the binary port uses.
///
/// @param authenticator checks tokens
/// @param log records every request
/// @param events receives the events of this port and of its clients
/// @param meter counts every request
public record BinaryService(
    Store store,
    Authenticator authenticator,
    RequestLog log,
    EventListener events,
    RequestMeter meter) {

  /// A store that is open to every client, without listeners.
  public static BinaryService of(Store store) {
    return new BinaryService(
        store, Authenticator.OPEN, RequestLog.NONE, EventListener.NONE, RequestMeter.NONE);
  }
}
