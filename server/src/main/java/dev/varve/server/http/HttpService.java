// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.Store;
import dev.varve.server.access.Authenticator;
import dev.varve.server.events.EventHub;
import dev.varve.server.events.EventListener;
import dev.varve.server.logs.RequestLog;
import dev.varve.server.metrics.Metrics;
import java.time.InstantSource;

/// The parts of the service that the HTTP port uses.
///
/// @param version of this program, reported to clients
/// @param authenticator checks tokens
/// @param log records every request
/// @param hub the events that listeners subscribe to
/// @param events receives the events of this port; usually ends in `hub`
/// @param metrics counts every request
/// @param views the derived views of the store
public record HttpService(
    Store store,
    String version,
    InstantSource clock,
    Authenticator authenticator,
    RequestLog log,
    EventHub hub,
    EventListener events,
    StoreViews views,
    Metrics metrics) {}
