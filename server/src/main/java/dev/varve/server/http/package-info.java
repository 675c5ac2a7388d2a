// SPDX-License-Identifier: Apache-2.0
/// The HTTP port: cxdb's routes and Varve's own, as JSON, over a store.
///
/// A request goes through [Dispatch]: [Router] finds the [Route], then host, origin, token and rate
/// are checked, then the route's handler makes an [Answer]. A class a resource has the handlers.
/// [HttpPort] is the only one that knows the HTTP library; everything else can be asked without a
/// port.
///
/// Page: `docs/http-api.md`.
@NullMarked
package dev.varve.server.http;

import org.jspecify.annotations.NullMarked;
