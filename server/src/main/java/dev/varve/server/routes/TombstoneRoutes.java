// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.routes;

import dev.varve.Overlay;
import dev.varve.Turn;
import dev.varve.TurnId;
import dev.varve.View;
import dev.varve.server.events.ServerEvent;
import dev.varve.server.http.HttpAnswer;
import dev.varve.server.http.HttpRequest;
import dev.varve.server.http.HttpService;
import dev.varve.server.http.JsonTrees;
import dev.varve.server.http.Route;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// The route that deletes a turn: the turn gets a tombstone, and its payload is no longer shown.
record TombstoneRoutes(HttpService service) {

  List<Route> routes() {
    return List.of(
        Route.write(
            "DELETE",
            "/v1/turns/{id}",
            Route.Doc.of(
                    "deleteTurn",
                    "Puts a tombstone on a turn. The turn keeps its place; its payload is no longer"
                        + " shown, and stays in the store.")
                .params(JsonIds.PARAM)
                .gives("DeletedTurn"),
            this::delete));
  }

  private HttpAnswer delete(HttpRequest request) {
    TurnId id = TurnId.parse(request.param("id"));
    Turn turn = service.store().turn(id, View.HEADERS);
    long seq = turn.overlaySeq();
    if (!turn.tombstone()) { // a second tombstone would say nothing
      seq = service.store().tombstone(id);
      service.events().on(new ServerEvent.TurnOverlaid(id, seq, Overlay.Kind.TOMBSTONE));
    }
    ObjectNode answer = JsonTrees.object();
    JsonIds.of(request).put(answer, "turn_id", id);
    return HttpAnswer.json(answer.put("tombstone", true).put("overlay_seq", seq));
  }
}
