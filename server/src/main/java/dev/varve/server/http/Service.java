// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.Store;
import dev.varve.server.access.Audit;
import dev.varve.server.access.Authenticator;
import dev.varve.server.events.EventHub;
import dev.varve.server.events.EventListener;
import dev.varve.server.metrics.Metrics;
import java.time.InstantSource;

/// What the HTTP port answers for, and with whom it speaks.
///
/// @param version of this program, as clients are told
/// @param authenticator who is let in
/// @param audit hears of writes
/// @param hub what listeners subscribe to
/// @param events hears of what this port does to the store; usually ends in `hub`
/// @param metrics is told of every request
/// @param views what else can be seen of the store
public record Service(
    Store store,
    String version,
    InstantSource clock,
    Authenticator authenticator,
    Audit audit,
    EventHub hub,
    EventListener events,
    Views views,
    Metrics metrics) {}
