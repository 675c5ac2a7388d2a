// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.server.access.Principal;
import dev.varve.server.load.Budget;
import dev.varve.server.load.Intake;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Pattern;

/// One request, as its handler sees it.
///
/// @param params what stood in the path where the route has `{name}`
/// @param query the last value of each parameter
/// @param headers asks for a header by its name, in any case
/// @param client who asks, from where
/// @param bodySizeBytes what the client says its body measures
/// @param memory for the body, where it is kept
record Request(
    String method,
    Map<String, String> params,
    Map<String, String> query,
    Function<String, Optional<String>> headers,
    Client client,
    OptionalLong bodySizeBytes,
    InputStream body,
    Budget.Lease memory) {

  private static final Pattern ASCII = Pattern.compile("-?[0-9]+"); // no digits of other scripts
  private static final byte[] NOTHING = {};
  private static final long NOT_A_NUMBER = Long.MIN_VALUE;

  /// Who asks.
  ///
  /// @param address of the peer, for instance `127.0.0.1:54321`
  record Client(Principal principal, String address) {}

  /// What stood where the route has `{name}`.
  String param(String name) {
    String value = params.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the route has no {" + name + "}");
    }
    return value;
  }

  Optional<String> query(String name) {
    return Optional.ofNullable(query.get(name));
  }

  Optional<String> header(String name) {
    return headers.apply(name);
  }

  /// A parameter that is a number of at least 0.
  ///
  /// @param max the greatest that is answered
  int number(String name, int otherwise, int max) {
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

  /// A parameter that is yes or no: `1` or `true`, `0` or `false`.
  boolean flag(String name) {
    return switch (query.getOrDefault(name, "")) {
      case "1", "true" -> true;
      case "", "0", "false" -> false;
      default ->
          throw HttpRefusal.invalid(name + ": expected 0 or 1, found '" + query.get(name) + "'");
    };
  }

  /// The whole body.
  ///
  /// @param max the most bytes that are read; a larger body is refused, if it says so before the
  ///   first byte
  byte[] read(int max) {
    if (bodySizeBytes.orElse(0) > max) {
      throw HttpRefusal.tooLarge("body", bodySizeBytes.getAsLong(), max);
    }
    int most = (int) Math.min(max, bodySizeBytes.orElse(max));
    Intake intake = new Intake(memory, NOTHING, 0, 0);
    try {
      if (intake.fill(body::read, most) && body.read() >= 0) {
        throw HttpRefusal.tooLarge("body", max + 1L, max);
      }
      return intake.bytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The same request, its body in memory.
  Request withBody(byte[] bytes) {
    return new Request(
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
