// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.routes;

import dev.varve.ContextId;
import dev.varve.server.contexts.BranchViews;
import dev.varve.server.http.HttpAnswer;
import dev.varve.server.http.HttpRefusal;
import dev.varve.server.http.HttpRequest;
import dev.varve.server.http.Route;
import java.util.List;

/// The routes that show how contexts branch.
record BranchRoutes(BranchViews branches) {

  private static final int CONTEXTS_DEFAULT = 500;
  private static final int CONTEXTS_MAX = 2_000;

  List<Route> routes() {
    return List.of(
        Route.get(
            "/v1/contexts/{id}/tree",
            Route.Doc.of(
                    "getTree",
                    "The contexts of the same origin, the turns at which they part, and the"
                        + " compactions, snapshots and sub-agents on the ways between.")
                .params(
                    new Route.Param("limit", "integer", "how many contexts at most"), JsonIds.PARAM)
                .gives("BranchTree"),
            this::tree),
        Route.get(
            "/v1/contexts/{id}/comparison",
            Route.Doc.of("compareContexts", "The turn after which two contexts part.")
                .params(new Route.Param("with", "string", "the other context"), JsonIds.PARAM)
                .gives("Comparison"),
            this::comparison));
  }

  private HttpAnswer tree(HttpRequest request) {
    int limit = request.limit("limit", CONTEXTS_DEFAULT, CONTEXTS_MAX);
    return HttpAnswer.largeJson(
        branches.tree(ContextId.parse(request.param("id")), limit, JsonIds.of(request).format()));
  }

  private HttpAnswer comparison(HttpRequest request) {
    String with =
        request
            .query("with")
            .orElseThrow(() -> HttpRefusal.invalid("with: expected a context, found nothing"));
    return HttpAnswer.json(
        branches.comparison(
            ContextId.parse(request.param("id")),
            ContextId.parse(with),
            JsonIds.of(request).format()));
  }
}
