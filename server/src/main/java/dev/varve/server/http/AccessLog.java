// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.server.access.Principal;
import dev.varve.server.events.ServerEvent;
import dev.varve.server.http.HttpRequest.Client;
import dev.varve.server.logs.AnsweredRequest;
import dev.varve.server.metrics.RequestFailure;
import dev.varve.server.metrics.RequestMeter;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A record of every answered request: numbers for the metrics, lines for the logs, and the
/// server's own faults for the event listeners.
public record AccessLog(HttpService service) {

  /// A request that was answered by a route.
  ///
  /// @param path as sent, with percent signs
  /// @param taken from the request to its answer, before the answer is sent
  public record Exchange(Route route, Client client, String path, int status, Duration taken) {

    String operation() {
      return route.doc().id();
    }

    private boolean writes() {
      return switch (route.access()) {
        case OPEN, READ -> false;
        case WRITE, ADMIN, RESTORE -> true;
      };
    }
  }

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

  /// Counts a request that was answered by a route.
  ///
  /// @param wrong the exception behind a refusal; null if the answer was not an exception
  public void answered(Exchange exchange, @Nullable Throwable wrong) {
    int status = exchange.status();
    service.metrics().answered(PORT, exchange.operation(), status, exchange.taken().toNanos());
    if (status >= 400) {
      failed(status, exchange.path(), wrong);
    }
    if (status == 500 || status == 503 || status == 507) {
      service
          .events()
          .on(
              new ServerEvent.ErrorOccurred(
                  service.clock().instant(),
                  PORT,
                  status,
                  "a request failed: " + exchange.operation(),
                  exchange.path()));
    }
  }

  /// Writes the line of a request. An answer that is carried by another answer has no bytes of its
  /// own.
  public void note(Exchange exchange, long receivedBytes, long sentBytes) {
    service
        .log()
        .answered(
            new AnsweredRequest(
                PORT,
                exchange.client().principal().name(),
                exchange.client().address(),
                exchange.operation(),
                exchange.path(),
                exchange.writes(),
                exchange.status(),
                new AnsweredRequest.Cost(receivedBytes, sentBytes, exchange.taken().toNanos())));
  }

  /// Records a request that reached no route.
  void refused(String peer, String path, int status, Throwable wrong) {
    String none = RequestMeter.NO_OPERATION;
    service.metrics().answered(PORT, none, status, 0);
    service
        .log()
        .answered(
            new AnsweredRequest(
                PORT, NOBODY.name(), peer, none, path, false, status, AnsweredRequest.Cost.NONE));
    failed(status, path, wrong);
  }

  private void failed(int status, String path, @Nullable Throwable wrong) {
    String message = wrong == null ? ErrorAnswers.title(status) : ErrorAnswers.shown(wrong);
    service
        .metrics()
        .failed(new RequestFailure(service.clock().instant(), PORT, status, message, path));
  }

  /// The same answer, whose bytes are counted while they are sent. The line of the request is
  /// written now, or once a body that is produced meanwhile has ended.
  HttpAnswer counted(HttpAnswer answer, Exchange exchange, boolean head, MeteredInput request) {
    RequestMeter meter = service.metrics();
    String operation = exchange.operation();
    meter.moved(PORT, operation, request.bytes(), 0);
    return switch (head ? new HttpAnswer.Body.None() : answer.body()) {
      case HttpAnswer.Body.None _ -> {
        note(exchange, request.bytes(), 0);
        yield answer;
      }
      case HttpAnswer.Body.Whole(String _, byte[] bytes) -> {
        meter.moved(PORT, operation, 0, bytes.length);
        note(exchange, request.bytes(), bytes.length);
        yield answer;
      }
      case HttpAnswer.Body.Streamed(String type, long sizeBytes, HttpAnswer.BodyWriter writing) ->
          new HttpAnswer(
              answer.status(),
              answer.headers(),
              new HttpAnswer.Body.Streamed(
                  type, sizeBytes, out -> send(writing, out, exchange, request)));
    };
  }

  private void send(
      HttpAnswer.BodyWriter writing, OutputStream out, Exchange exchange, MeteredInput request)
      throws IOException {
    AtomicLong sentBytes = new AtomicLong();
    try {
      writing.to(
          new MeteredOutput(
              out,
              some -> {
                sentBytes.addAndGet(some);
                service.metrics().moved(PORT, exchange.operation(), 0, some);
              }));
    } finally {
      note(exchange, request.bytes(), sentBytes.get());
    }
  }
}
