// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.binary;

import dev.varve.Store;
import dev.varve.server.access.Audit;
import dev.varve.server.access.Authenticator;
import dev.varve.server.events.EventListener;
import dev.varve.server.metrics.RequestMeter;

/// What the binary port answers for, and with whom it speaks.
///
/// @param authenticator who is let in
/// @param audit hears of writes
/// @param events hears of what this port does to the store, and of its clients
/// @param meter is told of every request
public record BinaryService(
    Store store,
    Authenticator authenticator,
    Audit audit,
    EventListener events,
    RequestMeter meter) {

  /// A store for everybody; nobody hears of anything.
  public static BinaryService of(Store store) {
    return new BinaryService(
        store, Authenticator.OPEN, Audit.NONE, EventListener.NONE, RequestMeter.NONE);
  }
}
