// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.server.access.Audit;
import dev.varve.server.access.Principal;
import dev.varve.server.events.ServerEvent;
import dev.varve.server.http.Request.Client;
import java.time.Duration;

/// Notes what was asked and answered: numbers for the metrics, writes for the audit log, the
/// server's own faults for those who listen.
record Ledger(Service service) {

  /// Who a client is that was not let in.
  static final Principal NOBODY =
      new Principal() {
        @Override
        public String name() {
          return "-";
        }

        @Override
        public Verdict admit(dev.varve.server.access.Scope needed) {
          return Verdict.FORBIDDEN;
        }
      };

  /// What is counted of requests that no route answers.
  private static final String NO_OPERATION = "none";

  void answered(Route route, Client client, String path, int status, Duration taken) {
    service.metrics().answered("http", route.doc().id(), status, taken.toNanos());
    if (route.access() == Route.Access.WRITE || route.access() == Route.Access.ADMIN) {
      String who = client.principal().name();
      service
          .audit()
          .wrote(new Audit.Entry("http", who, client.address(), route.doc().id(), path, status));
    }
    if (status == 500 || status == 503 || status == 507) {
      service
          .events()
          .on(
              new ServerEvent.ErrorOccurred(
                  service.clock().instant(),
                  "http",
                  status,
                  "a request failed: " + route.doc().id(),
                  path));
    }
  }

  /// A request that came to no route.
  void refused(int status) {
    service.metrics().answered("http", NO_OPERATION, status, 0);
  }
}
