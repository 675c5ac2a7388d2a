// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.routes;

import dev.varve.StorageFacts;
import dev.varve.StoreException;
import dev.varve.server.http.HttpAnswer;
import dev.varve.server.http.HttpService;
import dev.varve.server.http.JsonTrees;
import dev.varve.server.http.Route;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// The health of the service, under cxdb's path and under the path that other tools expect.
record HealthRoutes(HttpService service, Instant start) {

  List<Route> routes() {
    return List.of(
        Route.get(
                "/healthz",
                Route.Doc.of("healthz", "Liveness: says ok while the process answers.")
                    .answers(HttpAnswer.TEXT, 200),
                _ -> HttpAnswer.text(200, HttpAnswer.TEXT, "ok"))
            .open(),
        Route.get(
                "/health",
                Route.Doc.of(
                        "health",
                        "Readiness: version and uptime; 503 when the store refuses writes or no"
                            + " longer answers.")
                    .gives("Health")
                    .refuses("Health"),
                _ -> health())
            .open());
  }

  private HttpAnswer health() {
    service.store().counts(); // throws once the store is closed
    Optional<StoreException> refusal =
        service.metrics().storage().flatMap(StorageFacts::writeRefusal);
    ObjectNode answer = JsonTrees.object();
    answer.put("status", refusal.isEmpty() ? "ok" : "writes_refused");
    refusal.ifPresent(why -> answer.put("reason", reason(why)));
    answer.put("version", service.version());
    answer.put("uptime_seconds", Duration.between(start, service.clock().instant()).toSeconds());
    return HttpAnswer.json(refusal.isEmpty() ? 200 : 503, answer);
  }

  /// The reason for strangers, who see this answer without a token: no path, and nothing of the
  /// system's own message. The log has both.
  private static String reason(StoreException refusal) {
    return refusal instanceof StoreException.Full ? "the disk is full" : "an earlier write failed";
  }
}
