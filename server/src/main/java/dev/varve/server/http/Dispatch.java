// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.server.access.Principal;
import dev.varve.server.http.Request.Client;
import dev.varve.server.load.Budget;
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

/// The way of every request, from its first line to its answer; never throws.
final class Dispatch {

  /// What came in, before anything was looked at.
  ///
  /// @param path as it was sent, still encoded
  /// @param query as it was sent
  record Incoming(
      String method,
      String path,
      String query,
      Function<String, Optional<String>> headers,
      String peer,
      OptionalLong bodySizeBytes,
      InputStream body) {}

  /// How long a body waits for memory that others work with.
  private static final Duration MEMORY_WAIT = Duration.ofSeconds(5);

  private final Router router;
  private final Gate gate;
  private final Doorkeeper doorkeeper;
  private final Ledger ledger;
  private final Semaphore slots;
  private final Budget budget;
  private final int jsonBytes;

  Dispatch(Router router, Gate gate, Doorkeeper doorkeeper, Ledger ledger, HttpLimits limits) {
    this.slots = new Semaphore(limits.requests());
    this.budget = new Budget(limits.bufferBytes(), MEMORY_WAIT);
    this.jsonBytes = limits.jsonBytes();
    this.router = router;
    this.gate = gate;
    this.doorkeeper = doorkeeper;
    this.ledger = ledger;
  }

  Answer answer(Incoming in) {
    boolean problem = in.headers().apply("Accept").orElse("").contains(Errors.PROBLEM);
    Answer answer;
    try {
      answer = gated(in, problem);
    } catch (Exception | StackOverflowError e) {
      answer = Errors.of(e, problem);
      ledger.refused(in.path(), answer.status(), e);
    }
    return safe(in.headers().apply("Origin"), answer);
  }

  /// The answer to what is no request at all.
  ///
  /// @param message what is wrong with it, where that is known
  Answer malformed(int status, @Nullable String message) {
    HttpRefusal refusal =
        new HttpRefusal(status, message == null ? "not readable as a request" : message);
    ledger.refused("", status, refusal);
    return safe(Optional.empty(), Errors.of(refusal, false));
  }

  private Answer gated(Incoming in, boolean problem) {
    gate.check(
        in.method(),
        in.headers().apply("Host"),
        in.headers().apply("Origin"),
        in.headers().apply("Sec-Fetch-Site"));
    if (in.method().equals("OPTIONS") && gate.lets(in.headers().apply("Origin"))) {
      return preflight();
    }
    Router.Match match = router.find(in.method(), segments(in.path()));
    Client client = new Client(Ledger.NOBODY, in.peer());
    CountedInput body = new CountedInput(in.body());
    long startNanos = System.nanoTime();
    Throwable wrong = null;
    Answer answer;
    try {
      Principal principal =
          doorkeeper.known(match.route().access(), in.headers().apply("Authorization"));
      client =
          new Client(principal, in.peer()); // before it is refused, so that the audit log names it
      Doorkeeper.admit(match.route().access(), principal);
      answer = handle(in, match, client, body);
    } catch (Exception | StackOverflowError e) {
      wrong = e;
      answer = Errors.of(e, problem);
    }
    Duration taken = Duration.ofNanos(System.nanoTime() - startNanos);
    ledger.answered(match.route(), client, in.path(), answer.status(), taken, wrong);
    return ledger.counted(answer, match.route().doc().id(), in.method().equals("HEAD"), body);
  }

  /// What a browser asks before it lets a page of an allowed site ask.
  private static Answer preflight() {
    return Answer.empty(204)
        .with("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT")
        .with(
            "Access-Control-Allow-Headers",
            "Authorization, Content-Type, If-None-Match, Last-Event-ID, Range")
        .with("Access-Control-Max-Age", "600");
  }

  private Answer handle(Incoming in, Router.Match match, Client client, InputStream body)
      throws Exception {
    try (Budget.Lease memory = budget.lease()) {
      Request request = request(in, match, client, body, memory);
      String takes = match.route().doc().body();
      if (takes.equals(Answer.OCTETS)) { // what comes slowly keeps no place from others
        return match.route().handler().answer(request);
      }
      if (takes.equals(Answer.JSON)) {
        request = request.withBody(request.read(jsonBytes));
      }
      return placed(match.route(), request);
    }
  }

  private Answer placed(Route route, Request request) throws IOException {
    if (!slots.tryAcquire()) {
      throw new HttpRefusal(503, "too many requests at once", Map.of("Retry-After", "1"));
    }
    try {
      return route.handler().answer(request);
    } finally {
      slots.release();
    }
  }

  private static Request request(
      Incoming in, Router.Match match, Client client, InputStream body, Budget.Lease memory) {
    return new Request(
        in.method(),
        match.params(),
        query(in.query()),
        in.headers(),
        client,
        in.bodySizeBytes(),
        body,
        memory);
  }

  /// Headers that every answer has: no page may frame it, guess its type, or run anything from it.
  private Answer safe(Optional<String> origin, Answer answer) {
    Answer safe =
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
    if (gate.lets(origin)) {
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

  /// Takes the percent signs out of one segment.
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

  /// The parameters of a query; of several with one name the last counts.
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
