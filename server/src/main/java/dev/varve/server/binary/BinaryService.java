// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.CheckReport;
import dev.varve.Store;
import dev.varve.server.access.Authenticator;
import dev.varve.server.events.EventListener;
import dev.varve.server.logs.RequestLog;
import dev.varve.server.metrics.RequestMeter;
import java.util.function.Consumer;

/// The parts of the service that the binary port uses.
///
/// @param authenticator checks tokens
/// @param log records every request
/// @param events receives the events of this port and of its clients
/// @param meter counts every request
/// @param checked receives the report of each check of the whole store
public record BinaryService(
    Store store,
    Authenticator authenticator,
    RequestLog log,
    EventListener events,
    RequestMeter meter,
    Consumer<CheckReport> checked) {

  /// A service whose checks concern their clients only.
  public BinaryService(
      Store store,
      Authenticator authenticator,
      RequestLog log,
      EventListener events,
      RequestMeter meter) {
    this(store, authenticator, log, events, meter, _ -> {});
  }

  /// A store that is open to every client, without listeners.
  public static BinaryService of(Store store) {
    return new BinaryService(
        store, Authenticator.OPEN, RequestLog.NONE, EventListener.NONE, RequestMeter.NONE);
  }
}
