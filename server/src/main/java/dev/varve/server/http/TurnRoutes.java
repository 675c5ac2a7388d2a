// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.ContextId;
import dev.varve.TurnId;
import dev.varve.server.contexts.TurnsView;
import dev.varve.server.types.Projection;
import dev.varve.server.types.RenderOptions;
import java.util.List;

/// The turns of a context, page by page.
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
                    Ids.PARAM)
                .gives("TurnPage"),
            this::page));
  }

  private Answer page(Request request) {
    TurnId before = request.query("before_turn_id").map(TurnId::parse).orElse(TurnId.NONE);
    TurnsView.PageRequest page =
        new TurnsView.PageRequest(
            ContextId.parse(request.param("id")),
            request.number("limit", PAGE_DEFAULT, limits.pageTurns()),
            before.isNone() ? null : before,
            RenderOptions.choice(
                request.query(), "view", TurnsView.Show.TYPED, TurnsView.Show.values()),
            Projection.Hint.read(request.query()),
            RenderOptions.read(request.query()),
            request.number("overlay_seq", Integer.MAX_VALUE, Integer.MAX_VALUE));
    return Answer.largeJson(
        request.query("turn_id").isPresent()
            ? turns.turn(page, TurnId.parse(request.query("turn_id").orElseThrow()))
            : turns.page(page));
  }
}
