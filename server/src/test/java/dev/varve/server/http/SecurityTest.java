// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import static dev.varve.server.http.Served.ANY_PORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.StoreException;
import dev.varve.server.ServerConfig;
import dev.varve.server.access.Scope;
import dev.varve.server.access.TokenAuthenticator;
import dev.varve.server.access.TokenFile;
import dev.varve.server.access.TokenRecord;
import dev.varve.server.http.Served.Reply;
import dev.varve.server.tls.TestCertificate;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SecurityTest {

  @TempDir Path folder;

  private String token(Path file, Set<Scope> scopes, int rate) {
    String token = TokenAuthenticator.create();
    TokenRecord record = TokenAuthenticator.record(token, "ci", scopes, rate, Instant.EPOCH);
    new TokenFile(file).change(_ -> List.of(record));
    return token;
  }

  /// Sends what no HTTP client would, and answers what comes back until the connection closes.
  private static String raw(Served served, String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", served.port())) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  private static String rawGet(Served served, String host, String more) throws IOException {
    return raw(
        served,
        "GET /v1/contexts HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n" + more + "\r\n");
  }

  @Test
  void aRequestForAnotherHostIsRefused() throws IOException {
    try (Served served = new Served(folder.resolve("s"))) {
      for (String ours : List.of("localhost", "127.0.0.1:9010", "[::1]:80", "LOCALHOST:1")) {
        assertThat(rawGet(served, ours, "")).as(ours).startsWith("HTTP/1.1 200");
      }
      for (String other :
          List.of("evil.example", "localhost.evil.example", "127.0.0.1.evil.example:9010")) {
        assertThat(rawGet(served, other, "")).as(other).startsWith("HTTP/1.1 421");
      }
    }
  }

  @Test
  void aPageOfAnotherSiteIsRefused() throws IOException {
    try (Served served = new Served(folder.resolve("s"))) {
      assertThat(rawGet(served, "localhost:1", "Origin: http://localhost:1\r\n"))
          .startsWith("HTTP/1.1 200");
      for (String other :
          List.of("http://evil.example", "null", "http://localhost:2", "file://", "x y")) {
        String reply = rawGet(served, "localhost:1", "Origin: " + other + "\r\n");
        assertThat(reply).as(other).startsWith("HTTP/1.1 403");
        assertThat(reply).doesNotContainIgnoringCase("access-control-allow");
      }
      assertThat(
              raw(
                  served,
                  "POST /v1/contexts HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                      + "Sec-Fetch-Site: cross-site\r\nContent-Length: 0\r\n\r\n"))
          .startsWith("HTTP/1.1 403");
    }
  }

  @Test
  void aSiteThatIsLetInMayAskAndRead() throws IOException {
    ServerConfig config = ANY_PORT.withOrigins(Set.of("https://ui.example"));
    try (Served served = new Served(folder.resolve("s"), config)) {
      assertThat(rawGet(served, "localhost", "Origin: https://ui.example\r\n"))
          .startsWith("HTTP/1.1 200")
          .containsIgnoringCase("access-control-allow-origin: https://ui.example");
      assertThat(
              raw(
                  served,
                  "OPTIONS /v1/contexts HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                      + "Origin: https://ui.example\r\n\r\n"))
          .startsWith("HTTP/1.1 204");
    }
  }

  @Test
  void everyAnswerForbidsScriptsFramesAndGuessing() {
    try (Served served = new Served(folder.resolve("s"))) {
      for (String path : List.of("/healthz", "/v1/contexts", "/none", "/v1/contexts/x")) {
        Reply reply = served.get(path);
        assertThat(reply.header("Content-Security-Policy")).contains("default-src 'none'");
        assertThat(reply.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(reply.header("Set-Cookie")).isEmpty();
      }
    }
  }

  @Test
  void whoShowsNoTokenIsLetInNowhere() {
    Path file = folder.resolve("tokens");
    String token = token(file, EnumSet.of(Scope.READ), 0);
    try (Served served = new Served(folder.resolve("s"), ANY_PORT.withTokens(file))) {
      String mine = "Bearer " + token;

      assertThat(served.get("/healthz").status()).isEqualTo(200);
      assertThat(served.get("/v1/contexts").status()).isEqualTo(401);
      assertThat(served.get("/v1/contexts").header("WWW-Authenticate")).startsWith("Bearer");
      assertThat(served.get("/v1/contexts", "Authorization", "Bearer x").status()).isEqualTo(401);
      assertThat(served.get("/v1/contexts", "Authorization", "Basic " + token).status())
          .isEqualTo(401);
      assertThat(served.get("/v1/contexts", "Authorization", mine).status()).isEqualTo(200);
      assertThat(served.get("/v1/contexts", "Authorization", "bearer " + token).status())
          .isEqualTo(200);
      assertThat(
              served
                  .send(
                      "/v1/contexts",
                      r -> r.header("Authorization", mine).POST(BodyPublishers.noBody()))
                  .status())
          .isEqualTo(403);
      assertThat(served.store.counts().contexts()).isZero();
    }
  }

  @Test
  void whoAsksTooOftenIsToldToWait() {
    Path file = folder.resolve("tokens");
    String token = token(file, EnumSet.of(Scope.READ), 1);
    try (Served served = new Served(folder.resolve("s"), ANY_PORT.withTokens(file))) {
      String mine = "Bearer " + token;
      List<Integer> statuses =
          java.util.stream.IntStream.range(0, 20)
              .map(_ -> served.get("/v1/contexts", "Authorization", mine).status())
              .boxed()
              .toList();

      assertThat(statuses).startsWith(200).contains(429);
    }
  }

  @Test
  void writesAreNotedWithWhoAndWhat() throws IOException {
    Path file = folder.resolve("tokens");
    Path log = folder.resolve("audit");
    String token = token(file, EnumSet.allOf(Scope.class), 0);
    ServerConfig config = ANY_PORT.withTokens(file).withAudit(log);
    try (Served served = new Served(folder.resolve("s"), config)) {
      served.get("/v1/contexts", "Authorization", "Bearer " + token);
      served.send(
          "/v1/contexts",
          r -> r.header("Authorization", "Bearer " + token).POST(BodyPublishers.noBody()));
      served.post("/v1/contexts", "");
    }

    List<String> lines = Files.readAllLines(log);
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0))
        .contains("\"who\":\"ci\"", "\"what\":\"createContext\"", "\"status\":201");
    assertThat(lines.get(1)).contains("\"who\":\"-\"", "\"status\":401");
    assertThat(String.join("", lines)).doesNotContain(token);
  }

  @Test
  void whoIsKnownAndMayNotIsNotedByNameAndWithANumericAddress() throws IOException {
    Path file = folder.resolve("tokens");
    Path log = folder.resolve("audit");
    String token = token(file, EnumSet.of(Scope.READ), 0);
    try (Served served =
        new Served(folder.resolve("s"), ANY_PORT.withTokens(file).withAudit(log))) {
      served.send(
          "/v1/contexts",
          r -> r.header("Authorization", "Bearer " + token).POST(BodyPublishers.noBody()));
    }

    assertThat(Files.readString(log))
        .contains("\"who\":\"ci\"", "\"status\":403", "\"peer\":\"127.0.0.1:");
  }

  @Test
  void otherMachinesAreServedWithTlsAndTokensOnly() {
    InetSocketAddress everywhere = new InetSocketAddress("0.0.0.0", 0);
    Path file = folder.resolve("tokens");
    token(file, EnumSet.of(Scope.READ), 0);
    TestCertificate certificate = TestCertificate.make(folder, "EC");
    ServerConfig withTls =
        ANY_PORT.withTls(new ServerConfig.TlsConfig(certificate.certificates(), certificate.key()));

    for (ServerConfig config :
        List.of(
            ANY_PORT.withHttp(everywhere),
            ANY_PORT.withBinary(everywhere),
            ANY_PORT.withHttp(everywhere).withTokens(file),
            withTls.withHttp(everywhere))) {
      assertThatThrownBy(() -> new Served(folder.resolve("s"), config))
          .isInstanceOf(StoreException.Invalid.class)
          .hasMessageContaining("needs TLS and tokens");
    }
    new Served(folder.resolve("s"), withTls.withTokens(file).withHttp(everywhere)).close();
  }

  @Test
  void tlsIsSpokenWhereACertificateIsGiven() throws Exception {
    TestCertificate certificate = TestCertificate.make(folder, "EC");
    ServerConfig config =
        ANY_PORT.withTls(new ServerConfig.TlsConfig(certificate.certificates(), certificate.key()));
    try (Served served = new Served(folder.resolve("s"), config);
        HttpClient client = HttpClient.newBuilder().sslContext(certificate.trusting()).build()) {
      URI uri = URI.create("https://localhost:" + served.port() + "/healthz");

      assertThat(client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body())
          .isEqualTo("ok");
    }
  }

  @Test
  void aPortInUseIsTold() {
    try (Served served = new Served(folder.resolve("s"))) {
      InetSocketAddress taken = new InetSocketAddress("127.0.0.1", served.port());
      assertThatThrownBy(() -> new Served(folder.resolve("t"), ANY_PORT.withHttp(taken)))
          .isInstanceOf(StoreException.Busy.class)
          .hasMessageContaining(Integer.toString(served.port()));
    }
  }
}
