// SPDX-License-Identifier: Apache-2.0
/// The routes of the HTTP port: one class for each resource, which reads the parameters of a
/// request, asks the store or a view of the store, and makes an answer.
///
/// [HttpApi] puts all routes together and opens the port; [ApiDocument] describes all of them. The
/// room `server.http` carries requests to the routes and knows none of them.
///
/// Page: `docs/http-api.md`.
@NullMarked
package dev.varve.server.routes;

import org.jspecify.annotations.NullMarked;
