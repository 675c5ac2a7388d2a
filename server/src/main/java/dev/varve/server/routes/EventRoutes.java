// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.routes;

import dev.varve.ContextId;
import dev.varve.Store;
import dev.varve.server.events.EventHub;
import dev.varve.server.events.EventHub.NumberedEvent;
import dev.varve.server.events.Subscription;
import dev.varve.server.http.HttpAnswer;
import dev.varve.server.http.HttpRefusal;
import dev.varve.server.http.HttpRequest;
import dev.varve.server.http.JsonTrees;
import dev.varve.server.http.Route;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The event streams (server-sent events). Each event has an id; a client that reconnects with
/// `Last-Event-ID` receives the events it missed, as far as they are kept.
record EventRoutes(Store store, EventHub hub) {

  private static final Duration HEARTBEAT = Duration.ofSeconds(20);

  /// The time in which a listener that fell behind must read what was already sent, before its
  /// connection is ended.
  private static final Duration LAST_CHANCE = Duration.ofSeconds(10);

  List<Route> routes() {
    return List.of(
        Route.get(
            "/v1/events",
            Route.Doc.of("events", "What happens, as server-sent events. Takes Last-Event-ID.")
                .answers(HttpAnswer.EVENT_STREAM, 200),
            request -> stream(request, null)),
        Route.get(
            "/v1/contexts/{id}/events",
            Route.Doc.of("contextEvents", "What happens to one context.")
                .answers(HttpAnswer.EVENT_STREAM, 200),
            request -> stream(request, store.head(ContextId.parse(request.param("id"))).id())));
  }

  private HttpAnswer stream(HttpRequest request, @Nullable ContextId only) {
    if (request.method().equals("HEAD")) {
      return HttpAnswer.streamed(200, HttpAnswer.EVENT_STREAM, -1, _ -> {});
    }
    Optional<String> last = request.header("Last-Event-ID");
    Subscription subscription =
        hub.subscribe(last.isEmpty() ? OptionalLong.empty() : seq(last.get()))
            .orElseThrow(
                () ->
                    new HttpRefusal(
                        503, "as many listeners as there may be", Map.of("Retry-After", "5")));
    return HttpAnswer.streamed(
        200, HttpAnswer.EVENT_STREAM, -1, out -> send(subscription, only, out));
  }

  /// The number in an event id. An id of another run gives a number that no event has, so that the
  /// listener gets an event about the gap.
  private OptionalLong seq(String id) {
    int dash = id.lastIndexOf('-');
    if (dash > 0 && id.substring(0, dash).equals(hub.run())) {
      try {
        return OptionalLong.of(Long.parseLong(id.substring(dash + 1)));
      } catch (NumberFormatException e) {
        // not an id of this service
      }
    }
    return OptionalLong.of(Long.MAX_VALUE);
  }

  private void send(Subscription subscription, @Nullable ContextId only, OutputStream out)
      throws IOException {
    Thread self = Thread.currentThread();
    CountDownLatch done = new CountDownLatch(1);
    try (subscription) {
      subscription.whenTooSlow(() -> Thread.startVirtualThread(() -> cut(self, done)));
      write(
          out,
          "event: connected\nid: " + hub.run() + "-" + subscription.seqBefore() + "\ndata: {}\n\n");
      if (subscription.hasGap()) {
        write(
            out,
            "event: gap\n"
                + "data: {\"message\":\"some events are no longer kept: ask again for what you"
                + " show\"}\n\n");
      }
      while (subscription.state() == Subscription.State.OPEN) {
        Optional<NumberedEvent> event = subscription.next(HEARTBEAT);
        if (event.isPresent()) {
          send(event.get(), only, out);
        } else if (subscription.state() == Subscription.State.OPEN) {
          write(out, ":heartbeat\n\n");
        }
      }
      if (subscription.state() == Subscription.State.TOO_SLOW) {
        write(out, "event: dropped\ndata: {\"message\":\"too slow: connect again\"}\n\n");
      }
    } catch (InterruptedException e) {
      throw new InterruptedIOException("the listener was too slow");
    } finally {
      done.countDown();
    }
  }

  private void send(NumberedEvent numbered, @Nullable ContextId only, OutputStream out)
      throws IOException {
    if (only != null && !Optional.of(only).equals(EventJson.context(numbered.event()))) {
      return;
    }
    String data =
        new String(JsonTrees.bytes(EventJson.data(numbered.event())), StandardCharsets.UTF_8);
    write(
        out,
        "event: %s\nid: %s-%d\ndata: %s\n\n"
            .formatted(EventJson.name(numbered.event()), hub.run(), numbered.seq(), data));
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /// Interrupts the sending thread if it still waits for the listener, which ends the connection.
  private static void cut(Thread sender, CountDownLatch done) {
    try {
      if (!done.await(LAST_CHANCE.toSeconds(), TimeUnit.SECONDS)) {
        sender.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
