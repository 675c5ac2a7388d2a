// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.routes;

import dev.varve.ContextId;
import dev.varve.TurnId;
import dev.varve.server.contexts.TurnsView;
import dev.varve.server.http.HttpAnswer;
import dev.varve.server.http.HttpLimits;
import dev.varve.server.http.HttpRequest;
import dev.varve.server.http.Route;
import dev.varve.server.types.Projection;
import dev.varve.server.types.RenderOptions;
import java.util.List;

/// The route that shows the turns of a context, page by page.
record TurnRoutes(TurnsView turns, HttpLimits limits) {

  private static final int PAGE_DEFAULT = 64;

  List<Route> routes() {
    return List.of(
        Route.get(
            "/v1/contexts/{id}/turns",
            Route.Doc.of(
                    "listTurns", "The last turns of a context, or those before one, oldest first.")
                .params(
                    new Route.Param("limit", "integer", "how many at most"),
                    new Route.Param("before_turn_id", "string", "only turns older than this one"),
                    new Route.Param("turn_id", "string", "this turn only"),
                    new Route.Param(
                        "start_depth", "integer", "instead, the turns from this depth on"),
                    new Route.Param("view", "string", "what is shown", "typed", "raw", "both"),
                    new Route.Param(
                        "type_hint_mode",
                        "string",
                        "by which descriptor",
                        "inherit",
                        "latest",
                        "explicit"),
                    new Route.Param("as_type_id", "string", "the type, where it is explicit"),
                    new Route.Param("as_type_version", "integer", "its version"),
                    new Route.Param("bytes_render", "string", "bytes", "base64", "hex", "len_only"),
                    new Route.Param("enum_render", "string", "enums", "label", "number", "both"),
                    new Route.Param("time_render", "string", "times", "iso", "unix_ms"),
                    new Route.Param("include_unknown", "boolean", "what has no field, too"),
                    new Route.Param("string_limit", "integer", "the longest text, in bytes"),
                    new Route.Param(
                        "overlay_seq", "integer", "as it was when this overlay had been written"),
                    JsonIds.PARAM)
                .gives("TurnPage"),
            this::page));
  }

  private HttpAnswer page(HttpRequest request) {
    TurnId before = request.query("before_turn_id").map(TurnId::parse).orElse(TurnId.NONE);
    TurnsView.PageRequest page =
        new TurnsView.PageRequest(
            ContextId.parse(request.param("id")),
            request.limit("limit", PAGE_DEFAULT, limits.sizes().pageTurns()),
            before.isNone() ? null : before,
            RenderOptions.choice(
                request.query(),
                "view",
                TurnsView.ShownPayload.TYPED,
                TurnsView.ShownPayload.values()),
            Projection.Hint.read(request.query()),
            RenderOptions.read(request.query()),
            request.number("overlay_seq", Integer.MAX_VALUE, Integer.MAX_VALUE));
    if (request.query("start_depth").isPresent()) {
      int depth = request.number("start_depth", 0, Integer.MAX_VALUE);
      return HttpAnswer.largeJson(turns.from(page, depth));
    }
    return HttpAnswer.largeJson(
        request.query("turn_id").isPresent()
            ? turns.turn(page, TurnId.parse(request.query("turn_id").orElseThrow()))
            : turns.page(page));
  }
}
