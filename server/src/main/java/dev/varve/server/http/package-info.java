// SPDX-License-Identifier: Apache-2.0
/// The HTTP port: connections, requests and their way to a route.
///
/// A request goes through [RequestDispatch]: host and origin are checked, [Router] finds the
/// [Route], token, scope and rate are checked, then the handler of the route makes an [HttpAnswer].
/// The handlers are in the room `server.routes`. [HttpPort] and the two classes around its
/// connections use the HTTP library; everything else works without a port.
///
/// Page: `docs/http-api.md`.
@NullMarked
package dev.varve.server.http;

import org.jspecify.annotations.NullMarked;
