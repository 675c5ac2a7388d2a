// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.server.access.AuditLog;
import dev.varve.server.access.Principal;
import dev.varve.server.events.ServerEvent;
import dev.varve.server.http.HttpRequest.Client;
import dev.varve.server.metrics.RequestFailure;
import dev.varve.server.metrics.RequestMeter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A record of every answered request: numbers for the metrics, writes for the audit log, and the
/// server's own faults for the event listeners.
public record AccessLog(HttpService service) {

  /// The principal of a client that was not authenticated.
  static final Principal NOBODY =
      new Principal() {
        @Override
        public String name() {
          return "-";
        }

        @Override
        public Admission admit(dev.varve.server.access.Scope needed) {
          return Admission.FORBIDDEN;
        }
      };

  /// The name of this port in metrics and logs.
  static final String PORT = "http";

  /// Records a request that was answered by a route.
  ///
  /// @param wrong the exception behind a refusal; null if the answer was not an exception
  public void answered(
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
          .wrote(new AuditLog.Entry(PORT, who, client.address(), route.doc().id(), path, status));
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

  /// Records a request that reached no route.
  void refused(String path, int status, Throwable wrong) {
    service.metrics().answered(PORT, RequestMeter.NO_OPERATION, status, 0);
    failed(status, path, wrong);
  }

  private void failed(int status, String path, @Nullable Throwable wrong) {
    String message = wrong == null ? ErrorAnswers.title(status) : ErrorAnswers.shown(wrong);
    service
        .metrics()
        .failed(new RequestFailure(service.clock().instant(), PORT, status, message, path));
  }

  /// The same answer, whose bytes are counted while they are sent.
  HttpAnswer counted(HttpAnswer answer, String operation, boolean head, MeteredInput request) {
    RequestMeter meter = service.metrics();
    meter.moved(PORT, operation, request.bytes(), 0);
    if (head) {
      return answer;
    }
    return switch (answer.body()) {
      case HttpAnswer.Body.None _ -> answer;
      case HttpAnswer.Body.Whole(String _, byte[] bytes) -> {
        meter.moved(PORT, operation, 0, bytes.length);
        yield answer;
      }
      case HttpAnswer.Body.Streamed(String type, long sizeBytes, HttpAnswer.BodyWriter writing) ->
          new HttpAnswer(
              answer.status(),
              answer.headers(),
              new HttpAnswer.Body.Streamed(
                  type,
                  sizeBytes,
                  out ->
                      writing.to(
                          new MeteredOutput(out, sent -> meter.moved(PORT, operation, 0, sent)))));
    };
  }
}
