// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.server.access.Audit;
import dev.varve.server.access.Principal;
import dev.varve.server.events.ServerEvent;
import dev.varve.server.http.Request.Client;
import dev.varve.server.metrics.Failure;
import dev.varve.server.metrics.RequestMeter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

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

  /// What this port is called where ports are counted.
  static final String PORT = "http";

  /// @param wrong why the answer is a refusal, where that was thrown; null else
  void answered(
      Route route,
      Client client,
      String path,
      int status,
      Duration taken,
      @Nullable Throwable wrong) {
    service.metrics().answered(PORT, route.doc().id(), status, taken.toNanos());
    if (status >= 400) {
      failed(status, path, wrong);
    }
    if (route.access() == Route.Access.WRITE || route.access() == Route.Access.ADMIN) {
      String who = client.principal().name();
      service
          .audit()
          .wrote(new Audit.Entry(PORT, who, client.address(), route.doc().id(), path, status));
    }
    if (status == 500 || status == 503 || status == 507) {
      service
          .events()
          .on(
              new ServerEvent.ErrorOccurred(
                  service.clock().instant(),
                  PORT,
                  status,
                  "a request failed: " + route.doc().id(),
                  path));
    }
  }

  /// A request that came to no route.
  void refused(String path, int status, Throwable wrong) {
    service.metrics().answered(PORT, RequestMeter.NO_OPERATION, status, 0);
    failed(status, path, wrong);
  }

  private void failed(int status, String path, @Nullable Throwable wrong) {
    String message = wrong == null ? Errors.title(status) : Errors.shown(wrong);
    service.metrics().failed(new Failure(service.clock().instant(), PORT, status, message, path));
  }

  /// The answer as it is sent, counted.
  Answer counted(Answer answer, String operation, boolean head, CountedInput request) {
    RequestMeter meter = service.metrics();
    meter.moved(PORT, operation, request.bytes(), 0);
    if (head) {
      return answer;
    }
    return switch (answer.body()) {
      case Answer.Body.None _ -> answer;
      case Answer.Body.Whole(String _, byte[] bytes) -> {
        meter.moved(PORT, operation, 0, bytes.length);
        yield answer;
      }
      case Answer.Body.Streamed(String type, long sizeBytes, Answer.Writing writing) ->
          new Answer(
              answer.status(),
              answer.headers(),
              new Answer.Body.Streamed(
                  type,
                  sizeBytes,
                  out ->
                      writing.to(
                          new CountedOutput(out, sent -> meter.moved(PORT, operation, 0, sent)))));
    };
  }
}
