// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.routes;

import dev.varve.ContextHold;
import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.server.http.HttpAnswer;
import dev.varve.server.http.HttpLimits;
import dev.varve.server.http.HttpRequest;
import dev.varve.server.http.JsonMembers;
import dev.varve.server.http.JsonTrees;
import dev.varve.server.http.Route;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The routes that place, release and list holds on contexts.
record HoldRoutes(Store store, HttpLimits limits) {

  List<Route> routes() {
    return List.of(
        Route.admin(
            "GET",
            "/v1/holds",
            Route.Doc.of("listHolds", "Lists all holds, also those whose time is over.")
                .gives("HoldList"),
            _ -> answer(store.holds().all())),
        Route.admin(
            "PUT",
            "/v1/contexts/{id}/hold",
            Route.Doc.of(
                    "placeHold",
                    "Places a hold on a context, or replaces the context's hold: no erasure takes"
                        + " what the context needs.")
                .takes("NewHold")
                .gives("HoldList"),
            this::place),
        Route.admin(
            "DELETE",
            "/v1/contexts/{id}/hold",
            Route.Doc.of("releaseHold", "Ends the hold of a context; answers the hold that ended.")
                .gives("HoldList"),
            request ->
                answer(
                    store.holds().release(ContextId.parse(request.param("id"))).stream()
                        .toList())));
  }

  private HttpAnswer place(HttpRequest request) {
    ContextId context = ContextId.parse(request.param("id"));
    ObjectNode body = JsonTrees.readObject(request.read(limits.sizes().jsonBytes()));
    JsonNode until = body.get("until_unix_ms");
    if (until != null && !until.isNull() && !JsonMembers.isLong(until)) {
      throw JsonMembers.mismatch("until_unix_ms", "a number of milliseconds, or null", until);
    }
    String reason = body.has("reason") ? JsonMembers.text(body, "reason") : "";
    @Nullable Instant end =
        until == null || until.isNull() ? null : Instant.ofEpochMilli(until.longValue());
    return answer(List.of(store.holds().hold(context, end, reason)));
  }

  private static HttpAnswer answer(List<ContextHold> holds) {
    ObjectNode answer = JsonTrees.object();
    ArrayNode array = answer.putArray("holds");
    for (ContextHold hold : holds) {
      Instant until = hold.until();
      ObjectNode item = array.addObject().put("context_id", hold.context().toString());
      item.put("since_unix_ms", hold.since().toEpochMilli());
      if (until != null) {
        item.put("until_unix_ms", until.toEpochMilli());
      }
      item.put("reason", hold.reason());
    }
    return HttpAnswer.json(answer);
  }
}
