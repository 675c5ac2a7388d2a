// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.server.access.Principal;
import dev.varve.server.limits.MemoryBudget;
import dev.varve.server.limits.ReceiveBuffer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Pattern;

/// One request as its handler sees it.
///
/// @param params the values of the route's `{name}` segments
/// @param query the last value of each parameter
/// @param headers looks up a header by its name, in any case
/// @param client the sender of the request
/// @param bodySizeBytes the body's size as the client declares it
/// @param memory the lease for a body that is kept in memory
public record HttpRequest(
    String method,
    Map<String, String> params,
    Map<String, String> query,
    Function<String, Optional<String>> headers,
    Client client,
    OptionalLong bodySizeBytes,
    InputStream body,
    MemoryBudget.Lease memory) {

  private static final Pattern ASCII = Pattern.compile("-?[0-9]+"); // no digits of other scripts
  private static final byte[] NOTHING = {};
  private static final long NOT_A_NUMBER = Long.MIN_VALUE;

  /// The sender of a request.
  ///
  /// @param address of the peer, for instance `127.0.0.1:54321`
  public record Client(Principal principal, String address) {}

  /// The value of a `{name}` segment of the route.
  public String param(String name) {
    String value = params.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the route has no {" + name + "}");
    }
    return value;
  }

  public Optional<String> query(String name) {
    return Optional.ofNullable(query.get(name));
  }

  public Optional<String> header(String name) {
    return headers.apply(name);
  }

  /// A parameter that is a number of at least 0.
  ///
  /// @param max the greatest accepted value
  public int number(String name, int otherwise, int max) {
    String text = query.getOrDefault(name, "");
    if (text.isEmpty()) {
      return otherwise;
    }
    long value;
    try {
      value = ASCII.matcher(text).matches() ? Long.parseLong(text) : NOT_A_NUMBER;
    } catch (NumberFormatException e) {
      throw HttpRefusal.invalid(name + ": expected a number, found '" + text + "'");
    }
    if (value == NOT_A_NUMBER) {
      throw HttpRefusal.invalid(name + ": expected a number, found '" + text + "'");
    }
    if (value < 0) {
      throw HttpRefusal.invalid(name + ": expected 0 or more, found " + value);
    }
    if (value > max) {
      throw HttpRefusal.tooLarge(name, value, max);
    }
    return (int) value;
  }

  /// A parameter that limits the length of an answer: a number of at least 0.
  ///
  /// @param max the cap; a greater value counts as the cap
  public int limit(String name, int otherwise, int max) {
    return Math.min(max, number(name, otherwise, Integer.MAX_VALUE));
  }

  /// A parameter that is `1` or `true`, `0` or `false`.
  public boolean flag(String name) {
    return switch (query.getOrDefault(name, "")) {
      case "1", "true" -> true;
      case "", "0", "false" -> false;
      default ->
          throw HttpRefusal.invalid(name + ": expected 0 or 1, found '" + query.get(name) + "'");
    };
  }

  /// Reads the whole body.
  ///
  /// @param max the most bytes that are read; a larger body is refused, before its first byte if
  ///   its declared size already shows it
  public byte[] read(int max) {
    if (bodySizeBytes.orElse(0) > max) {
      throw HttpRefusal.tooLarge("body", bodySizeBytes.getAsLong(), max);
    }
    int most = (int) Math.min(max, bodySizeBytes.orElse(max));
    ReceiveBuffer intake = new ReceiveBuffer(memory, NOTHING, 0, 0);
    try {
      if (intake.fill(body::read, most) && body.read() >= 0) {
        throw HttpRefusal.tooLarge("body", max + 1L, max);
      }
      return intake.bytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The same request with its body in memory.
  HttpRequest withBody(byte[] bytes) {
    return new HttpRequest(
        method,
        params,
        query,
        headers,
        client,
        OptionalLong.of(bytes.length),
        new ByteArrayInputStream(bytes),
        memory);
  }
}
