// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.Payload;
import dev.varve.server.ServerConfig;
import dev.varve.server.limits.PeerTimeouts;
import dev.varve.server.tls.TestCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Peers of the HTTP port that are slow, silent or too many: they are left, and others notice
/// nothing.
final class SlowPeersTest {

  private static final int PATIENCE_MS = 30_000;

  @TempDir Path folder;
  private final List<Socket> peers = new ArrayList<>();
  private Served served;

  private void serve(HttpLimits limits) {
    served = new Served(folder.resolve("s"), Served.ANY_PORT.withHttpLimits(limits));
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket peer : peers) {
      peer.close();
    }
    served.close();
  }

  private Socket peer(String... said) throws IOException {
    Socket socket = new Socket("127.0.0.1", served.port());
    socket.setSoTimeout(PATIENCE_MS);
    peers.add(socket);
    for (String each : said) {
      socket.getOutputStream().write(each.getBytes(StandardCharsets.ISO_8859_1));
    }
    return socket;
  }

  /// Whether the connection comes to its end, while a byte is sent whenever there is nothing to
  /// read.
  private static boolean endsThough(Socket trickling) throws IOException {
    InputStream in = trickling.getInputStream();
    trickling.setSoTimeout(20);
    for (int i = 0; i < PATIENCE_MS / 20; i++) {
      try {
        if (in.read() < 0) {
          return true;
        }
      } catch (java.net.SocketTimeoutException e) {
        try {
          trickling.getOutputStream().write('a');
        } catch (IOException gone) {
          return true;
        }
      } catch (java.net.SocketException e) {
        return true;
      }
    }
    return false;
  }

  private static HttpLimits shortTimeouts() {
    return HttpLimits.DEFAULTS.withTimeouts(
        PeerTimeouts.all(Duration.ofMillis(300)).withIdle(HttpLimits.DEFAULTS.timeouts().idle()));
  }

  @Test
  void whoSaysNothingIsLeft() throws IOException {
    serve(
        HttpLimits.DEFAULTS.withTimeouts(
            HttpLimits.DEFAULTS.timeouts().withFirst(Duration.ofMillis(300))));

    assertThat(peer().getInputStream().read()).isNegative();
  }

  @Test
  void whoSaysNothingMoreIsLeft() throws IOException {
    serve(
        HttpLimits.DEFAULTS.withTimeouts(
            HttpLimits.DEFAULTS.timeouts().withIdle(Duration.ofMillis(300))));

    InputStream answers = peer("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").getInputStream();

    assertThat(new String(answers.readAllBytes(), StandardCharsets.ISO_8859_1)).endsWith("ok");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void silentPeersThatTakeAllPlacesShutNobodyOut(boolean tls) throws Exception {
    TestCertificate certificate = tls ? TestCertificate.make(folder, "EC") : null;
    HttpLimits limits =
        HttpLimits.DEFAULTS
            .withConnections(20)
            .withTimeouts(PeerTimeouts.all(Duration.ofMinutes(10)));
    ServerConfig config = Served.ANY_PORT.withHttpLimits(limits);
    served =
        new Served(
            folder.resolve("s"),
            certificate == null
                ? config
                : config.withTls(
                    new ServerConfig.TlsConfig(certificate.certificates(), certificate.key())));
    for (int i = 0; i < 30; i++) {
      peer();
    }

    Socket client =
        certificate == null
            ? peer()
            : certificate.trusting().getSocketFactory().createSocket("localhost", served.port());
    peers.add(client);
    client.setSoTimeout(PATIENCE_MS);
    client
        .getOutputStream()
        .write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.UTF_8));
    assertThat(client.getInputStream().read()).isEqualTo('H');
  }

  @Test
  void whoSendsAHeaderByteAfterByteIsLeft() throws IOException {
    serve(shortTimeouts());

    assertThat(endsThough(peer("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: "))).isTrue();
    assertThat(served.get("/metrics").text())
        .contains("varve_connections_ended_total{port=\"http\",why=\"slow\"} 1.0");
  }

  @Test
  void whoSendsABodyByteAfterByteIsLeft() throws IOException {
    serve(shortTimeouts());
    String blob = "/v1/blobs/" + "a".repeat(64);
    for (String head :
        new String[] {
          "POST /v1/contexts HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n{",
          "PUT " + blob + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n",
        }) {
      assertThat(endsThough(peer(head))).as(head).isTrue();
    }
  }

  @Test
  void whoTakesNoAnswerIsLeft() throws IOException {
    serve(shortTimeouts());
    String path = "/v1/blobs/" + served.store.put(Payload.wrap(new byte[64 << 20]));
    Socket greedy = peer("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");

    while (!served.get("/metrics").text().contains("http\",why=\"slow\"} 1.0")) {
      assertThat(greedy.isClosed()).isFalse();
    }
    long taken = greedy.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
    assertThat(taken).isLessThan(64 << 20);
  }

  @Test
  void aWaitingConnectionGivesItsPlaceToANewOne() throws IOException {
    serve(HttpLimits.DEFAULTS.withConnections(20));
    List<Socket> waiting = new ArrayList<>();
    waiting.add(peer("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    assertThat(waiting.getFirst().getInputStream().readNBytes(12)).hasSize(12);
    for (int i = 0; i < 17; i++) {
      waiting.add(peer());
    }

    // Which of them has waited for longest is a matter of how the threads of the server ran.
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (System.nanoTime() < deadline && !isAnyLeft(waiting)) {
      try (Socket another = peer("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
        assertThat(another.getInputStream().read()).isEqualTo('H');
      }
    }
    assertThat(isAnyLeft(waiting)).isTrue();
  }

  private static boolean isAnyLeft(List<Socket> sockets) throws IOException {
    for (Socket socket : sockets) {
      if (isLeft(socket)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isLeft(Socket socket) throws IOException {
    socket.setSoTimeout(1);
    try {
      while (socket.getInputStream().read() >= 0) {
        continue;
      }
      return true;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    }
  }

  @Test
  void listenersDoNotTakeThePlacesOfRequests() throws IOException {
    serve(HttpLimits.DEFAULTS.withRequests(2));
    for (int i = 0; i < 5; i++) {
      Socket listener = peer("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(listener.getInputStream().read()).isEqualTo('H');
    }

    assertThat(served.get("/healthz").status()).isEqualTo(200);
  }
}
