// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.server.access.Principal;
import dev.varve.server.http.HttpRequest.Client;
import dev.varve.server.limits.MemoryBudget;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The path of every request from its first line to its answer. Never throws.
public final class RequestDispatch {

  /// A request before any part of it was checked.
  ///
  /// @param path as sent, with percent signs
  /// @param query as sent
  record RawRequest(
      String method,
      String path,
      String query,
      Function<String, Optional<String>> headers,
      String peer,
      OptionalLong bodySizeBytes,
      InputStream body) {}

  /// The time for which a body waits for memory that other requests are using.
  private static final Duration MEMORY_WAIT = Duration.ofSeconds(5);

  private final Router router;
  private final OriginCheck originCheck;
  private final Authentication authentication;
  private final AccessLog accessLog;
  private final Semaphore slots;
  private final MemoryBudget budget;
  private final int jsonBytes;

  public RequestDispatch(
      Router router,
      OriginCheck originCheck,
      Authentication authentication,
      AccessLog accessLog,
      HttpLimits limits) {
    this.slots = new Semaphore(limits.requests());
    this.budget = new MemoryBudget(limits.bufferBytes(), MEMORY_WAIT);
    this.jsonBytes = limits.sizes().jsonBytes();
    this.router = router;
    this.originCheck = originCheck;
    this.authentication = authentication;
    this.accessLog = accessLog;
  }

  HttpAnswer answer(RawRequest in) {
    boolean problem = in.headers().apply("Accept").orElse("").contains(ErrorAnswers.PROBLEM);
    HttpAnswer answer;
    try {
      answer = admitted(in, problem);
    } catch (Throwable e) {
      answer = ErrorAnswers.of(e, problem);
      accessLog.refused(in.peer(), in.path(), answer.status(), e);
    }
    return safe(in.headers().apply("Origin"), answer);
  }

  /// The answer to bytes that are not a readable request.
  ///
  /// @param message the fault, where it is known
  HttpAnswer malformed(int status, @Nullable String message) {
    HttpRefusal refusal =
        new HttpRefusal(status, message == null ? "not readable as a request" : message);
    accessLog.refused("-", "", status, refusal);
    return safe(Optional.empty(), ErrorAnswers.of(refusal, false));
  }

  private HttpAnswer admitted(RawRequest in, boolean problem) {
    originCheck.check(
        in.method(),
        in.headers().apply("Host"),
        in.headers().apply("Origin"),
        in.headers().apply("Sec-Fetch-Site"));
    if (in.method().equals("OPTIONS") && originCheck.lets(in.headers().apply("Origin"))) {
      return preflight();
    }
    Router.Match match = router.find(in.method(), segments(in.path()));
    Client client = new Client(AccessLog.NOBODY, in.peer());
    MeteredInput body = new MeteredInput(in.body());
    long startNanos = System.nanoTime();
    Throwable wrong = null;
    HttpAnswer answer;
    try {
      Principal principal =
          authentication.known(match.route().access(), in.headers().apply("Authorization"));
      client =
          new Client(
              principal,
              in.peer()); // set before the request can be refused, so that the audit log names
      // the client
      Authentication.admit(match.route().access(), principal);
      answer = handle(in, match, client, body);
    } catch (Throwable e) {
      wrong = e;
      answer = ErrorAnswers.of(e, problem);
    }
    Duration taken = Duration.ofNanos(System.nanoTime() - startNanos);
    AccessLog.Exchange exchange =
        new AccessLog.Exchange(match.route(), client, in.path(), answer.status(), taken);
    accessLog.answered(exchange, wrong);
    return accessLog.counted(answer, exchange, in.method().equals("HEAD"), body);
  }

  /// The answer to a browser's preflight request for a page of an allowed site.
  private static HttpAnswer preflight() {
    return HttpAnswer.empty(204)
        .with("Access-Control-Allow-Methods", "DELETE, GET, HEAD, POST, PUT")
        .with(
            "Access-Control-Allow-Headers",
            "Authorization, Content-Type, If-None-Match, Last-Event-ID, Range")
        .with("Access-Control-Max-Age", "600");
  }

  private HttpAnswer handle(RawRequest in, Router.Match match, Client client, InputStream body)
      throws Exception {
    try (MemoryBudget.Lease memory = budget.lease()) {
      HttpRequest request = request(in, match, client, body, memory);
      String takes = match.route().doc().body();
      if (takes.equals(HttpAnswer.OCTETS)) { // a slow body must not occupy a slot
        return match.route().handler().answer(request);
      }
      if (takes.equals(HttpAnswer.JSON)) {
        request = request.withBody(request.read(jsonBytes));
      }
      return placed(match.route(), request);
    }
  }

  private HttpAnswer placed(Route route, HttpRequest request) throws IOException {
    if (!slots.tryAcquire()) {
      throw new HttpRefusal(503, "too many requests at once", Map.of("Retry-After", "1"));
    }
    try {
      return route.handler().answer(request);
    } finally {
      slots.release();
    }
  }

  private static HttpRequest request(
      RawRequest in,
      Router.Match match,
      Client client,
      InputStream body,
      MemoryBudget.Lease memory) {
    return new HttpRequest(
        in.method(),
        match.params(),
        query(in.query()),
        in.headers(),
        client,
        in.bodySizeBytes(),
        body,
        memory);
  }

  /// Adds the headers of every answer: no page may embed the answer, guess its type or run anything
  /// from it.
  private HttpAnswer safe(Optional<String> origin, HttpAnswer answer) {
    HttpAnswer safe =
        answer
            .with("X-Content-Type-Options", "nosniff")
            .with("Referrer-Policy", "no-referrer")
            .with("Cross-Origin-Resource-Policy", "same-origin");
    if (!answer.headers().containsKey("Content-Security-Policy")) {
      safe =
          safe.with(
              "Content-Security-Policy",
              "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
    }
    if (!answer.headers().containsKey("Cache-Control")) {
      safe = safe.with("Cache-Control", "no-store");
    }
    if (originCheck.lets(origin)) {
      safe =
          safe.with("Access-Control-Allow-Origin", origin.orElseThrow())
              .with("Cross-Origin-Resource-Policy", "cross-origin")
              .with("Vary", "Origin");
    }
    return safe;
  }

  private static List<String> segments(String path) {
    List<String> segments = new ArrayList<>();
    for (String part : Router.split(path)) {
      segments.add(decode(part));
    }
    return segments;
  }

  /// Decodes the percent signs of one path segment.
  static String decode(String part) {
    if (part.chars().anyMatch(c -> c > '~')) {
      throw new HttpRefusal(400, "path: what is not ASCII is written with percent signs");
    }
    if (part.indexOf('%') < 0) {
      return part;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(part.length());
    byte[] raw = part.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < raw.length; i++) {
      if (raw[i] != '%') {
        bytes.write(raw[i]);
        continue;
      }
      int high = i + 2 < raw.length ? Character.digit(raw[i + 1], 16) : -1;
      int low = i + 2 < raw.length ? Character.digit(raw[i + 2], 16) : -1;
      if (high < 0 || low < 0) {
        throw new HttpRefusal(400, "path: '%' without two hex digits");
      }
      bytes.write(high << 4 | low);
      i += 2;
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new HttpRefusal(400, "path: not UTF-8");
    }
  }

  /// The parameters of a query; of several with one name, the last one counts.
  static Map<String, String> query(String raw) {
    Map<String, String> params = new HashMap<>();
    if (raw.isEmpty()) {
      return params;
    }
    try {
      for (String pair : raw.split("&", -1)) {
        int equals = pair.indexOf('=');
        String name = equals < 0 ? pair : pair.substring(0, equals);
        String value = equals < 0 ? "" : pair.substring(equals + 1);
        params.put(
            URLDecoder.decode(name, StandardCharsets.UTF_8),
            URLDecoder.decode(value, StandardCharsets.UTF_8));
      }
    } catch (IllegalArgumentException e) {
      throw new HttpRefusal(400, "query: " + e.getMessage());
    }
    return params;
  }
}
