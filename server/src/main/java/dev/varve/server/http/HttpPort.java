// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.StoreException;
import dev.varve.server.metrics.RequestMeter;
import io.helidon.common.socket.SocketWriterException;
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

/// The HTTP port. Together with [TimedConnections] and [TimedContext] the only class that uses the
/// HTTP library. Each connection has a virtual thread.
public final class HttpPort implements AutoCloseable {

  /// The part of an unwanted body that is still read: a connection that is closed before its client
  /// has sent everything may lose the answer.
  private static final int DRAIN_BYTES_MAX = 64 << 20;

  /// The library's own timeout, which takes effect only where [PeerTimeout] does not.
  private static final Duration READ_TIMEOUT = Duration.ofMinutes(5);

  private static final System.Logger LOG = System.getLogger(HttpPort.class.getName());

  private final WebServer server;
  private final TimedConnections connections;

  private HttpPort(WebServer server, TimedConnections connections) {
    this.server = server;
    this.connections = connections;
  }

  /// Opens the port; requests are answered when this method returns.
  public static HttpPort open(HttpConfig config, RequestDispatch dispatch, RequestMeter meter) {
    HttpLimits limits = config.limits();
    TimedConnections connections =
        new TimedConnections(
            Http1ConnectionSelector.builder().config(Http1Config.create()).build(), limits, meter);
    WebServerConfig.Builder builder =
        WebServer.builder()
            .shutdownHook(false) // the owner of the store stops its parts in order
            .featuresDiscoverServices(false)
            .bindAddress(config.address())
            .maxTcpConnections(limits.connections())
            .protocolsDiscoverServices(
                false) // with a second protocol the library would wait for bytes to choose by
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

  /// Handlers for requests that the library refuses by itself: they are answered and counted like
  /// all others.
  private static DirectHandlers directly(RequestDispatch dispatch) {
    DirectHandlers.Builder handlers = DirectHandlers.builder();
    for (DirectHandler.EventType type : DirectHandler.EventType.values()) {
      handlers.addHandler(
          type,
          (request, _, status, _, message) -> {
            HttpAnswer answer = dispatch.malformed(status.code(), message);
            ServerResponseHeaders headers = ServerResponseHeaders.create();
            answer.headers().forEach((name, value) -> headers.set(HeaderNames.create(name), value));
            DirectHandler.TransportResponse.Builder response =
                DirectHandler.TransportResponse.builder()
                    .status(Status.create(answer.status()))
                    .headers(headers)
                    .keepAlive(false);
            if (answer.body() instanceof HttpAnswer.Body.Whole(String media, byte[] bytes)) {
              headers.set(HeaderNames.CONTENT_TYPE, media);
              response.entity(bytes);
            }
            return response.build();
          });
    }
    return handlers.build();
  }

  private static void route(HttpRouting.Builder routing, RequestDispatch dispatch) {
    routing.any(
        (request, response) -> {
          PeerTimeout timeout = PeerTimeout.current();
          if (timeout == null) {
            throw new AssertionError("a request without its connection");
          }
          timeout.headerRead();
          try {
            exchange(dispatch, request, response);
          } catch (CloseConnectionException | SocketWriterException | UncheckedIOException e) {
            throw e; // the peer is gone, or its connection ends
          } catch (Throwable e) {
            // Whatever went wrong, an Error of the JVM too: the peer must not wait for ever.
            LOG.log(System.Logger.Level.WARNING, "an answer could not be sent", e);
            throw new CloseConnectionException("the answer could not be sent", e);
          }
          timeout.answered();
        });
  }

  private static void exchange(
      RequestDispatch dispatch, ServerRequest request, ServerResponse response) throws IOException {
    boolean hasBody = request.content().hasEntity();
    MeteredInput body =
        new MeteredInput(
            hasBody
                ? new RequestBody(() -> request.content().inputStream())
                : InputStream.nullInputStream());
    OptionalLong size = request.headers().contentLength();
    HttpAnswer answer =
        dispatch.answer(
            new RequestDispatch.RawRequest(
                request.prologue().method().text(),
                request.prologue().uriPath().rawPath(),
                request.prologue().query().rawValue(),
                name -> request.headers().first(HeaderNames.create(name)),
                peer(request.remotePeer().address()),
                size,
                body));
    // A client that asks before it sends its body (Expect: 100-continue) is refused by the answer.
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
      // The library announces the end of the connection and does not end it.
      throw new CloseConnectionException("the answer was the last one of its connection");
    }
  }

  /// The peer's numeric address: resolving a name would ask another system, which may be slow or
  /// lie.
  private static String peer(SocketAddress address) {
    return address instanceof InetSocketAddress peer && peer.getAddress() != null
        ? peer.getAddress().getHostAddress() + ":" + peer.getPort()
        : String.valueOf(address);
  }

  /// Reads the rest of a body that the handler left, if the rest is small.
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
      return false; // broken off: no further request can follow
    }
  }

  private static void send(HttpAnswer answer, boolean head, boolean last, ServerResponse response)
      throws IOException {
    switch (answer.body()) {
      case HttpAnswer.Body.None() -> response.send();
      case HttpAnswer.Body.Whole(String type, byte[] bytes) -> {
        response.header(HeaderNames.CONTENT_TYPE, type);
        if (head) {
          response.contentLength(bytes.length);
          response.send();
        } else {
          response.send(bytes);
        }
      }
      case HttpAnswer.Body.Streamed(String type, long sizeBytes, HttpAnswer.BodyWriter writing) -> {
        response.header(HeaderNames.CONTENT_TYPE, type);
        if (sizeBytes >= 0) {
          response.contentLength(sizeBytes);
        }
        if (head) {
          response.send();
        } else if (last && sizeBytes < 0 && !type.equals(HttpAnswer.EVENT_STREAM)) {
          // The library omits the last chunk when the connection is closed.
          sendSpooled(writing, response);
        } else {
          write(writing, response.outputStream());
        }
      }
    }
  }

  private static void sendSpooled(HttpAnswer.BodyWriter writing, ServerResponse response)
      throws IOException {
    try (SpooledBody spool = new SpooledBody()) {
      writing.to(spool);
      response.contentLength(spool.sizeBytes());
      try (OutputStream out = response.outputStream()) {
        spool.copyTo(out);
      }
    }
  }

  /// Writes a body. A body that breaks off must not look complete: its connection is closed and its
  /// stream is not.
  private static void write(HttpAnswer.BodyWriter writing, OutputStream out) {
    try {
      writing.to(out);
      out.close();
    } catch (IOException | UncheckedIOException e) {
      throw new CloseConnectionException("the peer is gone, or too slow", e);
    } catch (StoreException e) {
      LOG.log(System.Logger.Level.WARNING, "an answer broke off: " + e.getMessage());
      throw new CloseConnectionException("the answer broke off", e);
    }
  }

  /// The number of the port that was opened.
  public int port() {
    return server.port();
  }

  /// The number of open connections.
  public int connectionCount() {
    return connections.count();
  }

  /// Refuses new requests, lets running requests finish within the grace time, then closes the
  /// port.
  @Override
  public void close() {
    server.stop();
    connections.close();
  }
}
