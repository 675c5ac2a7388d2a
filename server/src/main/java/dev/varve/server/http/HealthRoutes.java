// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Whether the service is well: under cxdb's name and under the one that others use.
record HealthRoutes(Service service, Instant start) {

  List<Route> routes() {
    return List.of(
        Route.get(
                "/healthz",
                Route.Doc.of("healthz", "Says ok while the process answers.")
                    .answers(Answer.TEXT, 200),
                _ -> Answer.text(200, Answer.TEXT, "ok"))
            .open(),
        Route.get(
                "/health",
                Route.Doc.of("health", "Version and uptime; 503 when the store no longer answers.")
                    .gives("Health"),
                _ -> health())
            .open());
  }

  private Answer health() {
    service.store().counts(); // throws once the store is closed
    return Answer.json(
        Json.object()
            .put("status", "ok")
            .put("version", service.version())
            .put("uptime_seconds", Duration.between(start, service.clock().instant()).toSeconds()));
  }
}
