// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.StoreException;
import dev.varve.server.metrics.RequestMeter;
import io.helidon.common.tls.Tls;
import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.OptionalLong;

/// The port itself. With [PatientConnections] and [PatientContext] the only class that knows the
/// HTTP library. A virtual thread a connection.
public final class HttpPort implements AutoCloseable {

  /// How much of a body that nobody wanted is read all the same: a connection that is closed before
  /// its client has sent all may take the answer with it.
  private static final int DRAIN_BYTES_MAX = 64 << 20;

  /// What the library does by itself only if we do not.
  private static final Duration READ_TIMEOUT = Duration.ofMinutes(5);

  private static final System.Logger LOG = System.getLogger(HttpPort.class.getName());

  private final WebServer server;
  private final PatientConnections connections;

  private HttpPort(WebServer server, PatientConnections connections) {
    this.server = server;
    this.connections = connections;
  }

  /// Opens the port; requests are answered when it returns.
  static HttpPort open(HttpConfig config, Dispatch dispatch, RequestMeter meter) {
    HttpLimits limits = config.limits();
    PatientConnections connections =
        new PatientConnections(
            Http1ConnectionSelector.builder().config(Http1Config.create()).build(), limits, meter);
    WebServerConfig.Builder builder =
        WebServer.builder()
            .shutdownHook(false) // whoever owns the store ends things in order
            .featuresDiscoverServices(false)
            .bindAddress(config.address())
            .maxTcpConnections(limits.connections())
            .protocolsDiscoverServices(
                false) // with a second one it would wait for bytes to choose by
            .addConnectionSelector(connections)
            .directHandlers(directly(dispatch))
            .shutdownGracePeriod(limits.grace())
            .connectionOptions(socket -> socket.readTimeout(READ_TIMEOUT).tcpNoDelay(true))
            .routing(routing -> route(routing, dispatch));
    if (config.tls() != null) {
      builder.tls(Tls.builder().sslContext(config.tls()).build());
    }
    return new HttpPort(builder.build().start(), connections);
  }

  /// Requests that the library refuses before they come here are answered and counted like all
  /// others.
  private static DirectHandlers directly(Dispatch dispatch) {
    DirectHandlers.Builder handlers = DirectHandlers.builder();
    for (DirectHandler.EventType type : DirectHandler.EventType.values()) {
      handlers.addHandler(
          type,
          (request, _, status, _, message) -> {
            Answer answer = dispatch.malformed(status.code(), message);
            ServerResponseHeaders headers = ServerResponseHeaders.create();
            answer.headers().forEach((name, value) -> headers.set(HeaderNames.create(name), value));
            DirectHandler.TransportResponse.Builder response =
                DirectHandler.TransportResponse.builder()
                    .status(Status.create(answer.status()))
                    .headers(headers)
                    .keepAlive(false);
            if (answer.body() instanceof Answer.Body.Whole(String media, byte[] bytes)) {
              headers.set(HeaderNames.CONTENT_TYPE, media);
              response.entity(bytes);
            }
            return response.build();
          });
    }
    return handlers.build();
  }

  private static void route(HttpRouting.Builder routing, Dispatch dispatch) {
    routing.any(
        (request, response) -> {
          Patience patience = Patience.current();
          if (patience == null) {
            throw new AssertionError("a request without its connection");
          }
          patience.headerRead();
          exchange(dispatch, request, response);
          patience.answered();
        });
  }

  private static void exchange(Dispatch dispatch, ServerRequest request, ServerResponse response)
      throws IOException {
    boolean hasBody = request.content().hasEntity();
    CountedInput body =
        new CountedInput(
            hasBody
                ? new Body(() -> request.content().inputStream())
                : InputStream.nullInputStream());
    OptionalLong size = request.headers().contentLength();
    Answer answer =
        dispatch.answer(
            new Dispatch.Incoming(
                request.prologue().method().text(),
                request.prologue().uriPath().rawPath(),
                request.prologue().query().rawValue(),
                name -> request.headers().first(HeaderNames.create(name)),
                peer(request.remotePeer().address()),
                size,
                body));
    // Who asks before sending its body is told no by the answer.
    boolean isHeldBack = body.bytes() == 0 && request.headers().contains(HeaderNames.EXPECT);
    boolean close =
        hasBody && (isHeldBack || !drained(body))
            || request.headers().containsToken(HeaderValues.CONNECTION_CLOSE);
    response.status(Status.create(answer.status()));
    answer.headers().forEach((name, value) -> response.header(HeaderNames.create(name), value));
    if (close) {
      response.header(HeaderValues.CONNECTION_CLOSE);
    }
    send(answer, request.prologue().method().equals(Method.HEAD), close, response);
    if (close) {
      // The library says that it closes, and does not.
      throw new CloseConnectionException("the answer was the last one of its connection");
    }
  }

  /// As a number: a name would be asked of somebody else, who may be slow, or lie.
  private static String peer(SocketAddress address) {
    return address instanceof InetSocketAddress peer && peer.getAddress() != null
        ? peer.getAddress().getHostAddress() + ":" + peer.getPort()
        : String.valueOf(address);
  }

  /// Reads what the handler left of a body, if that is little.
  private static boolean drained(InputStream body) {
    try {
      byte[] unwanted = new byte[8192];
      for (long read = 0; read < DRAIN_BYTES_MAX; ) {
        int some = body.read(unwanted);
        if (some < 0) {
          return true;
        }
        read += some;
      }
      return false;
    } catch (IOException | RuntimeException e) {
      return false; // broken off: nothing can follow it
    }
  }

  private static void send(Answer answer, boolean head, boolean last, ServerResponse response)
      throws IOException {
    switch (answer.body()) {
      case Answer.Body.None() -> response.send();
      case Answer.Body.Whole(String type, byte[] bytes) -> {
        response.header(HeaderNames.CONTENT_TYPE, type);
        if (head) {
          response.contentLength(bytes.length);
          response.send();
        } else {
          response.send(bytes);
        }
      }
      case Answer.Body.Streamed(String type, long sizeBytes, Answer.Writing writing) -> {
        response.header(HeaderNames.CONTENT_TYPE, type);
        if (sizeBytes >= 0) {
          response.contentLength(sizeBytes);
        }
        if (head) {
          response.send();
        } else if (last && sizeBytes < 0 && !type.equals(EventRoutes.EVENT_STREAM)) {
          // The library leaves the last chunk out when it closes.
          sendSpooled(writing, response);
        } else {
          write(writing, response.outputStream());
        }
      }
    }
  }

  private static void sendSpooled(Answer.Writing writing, ServerResponse response)
      throws IOException {
    try (Spool spool = new Spool()) {
      writing.to(spool);
      response.contentLength(spool.sizeBytes());
      try (OutputStream out = response.outputStream()) {
        spool.copyTo(out);
      }
    }
  }

  /// A body that breaks off must not look like one that is complete: its stream is not closed then,
  /// its connection is.
  private static void write(Answer.Writing writing, OutputStream out) {
    try {
      writing.to(out);
      out.close();
    } catch (IOException | UncheckedIOException | StoreException e) {
      if (e instanceof StoreException) {
        LOG.log(System.Logger.Level.WARNING, "an answer broke off: " + e.getMessage());
      }
      throw new CloseConnectionException("the answer broke off", e);
    }
  }

  /// The port that was opened.
  public int port() {
    return server.port();
  }

  /// How many connections are open.
  public int connectionCount() {
    return connections.count();
  }

  /// Refuses new requests, lets those at work finish within the grace time, closes the port.
  @Override
  public void close() {
    server.stop();
    connections.close();
  }
}
