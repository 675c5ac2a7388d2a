// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The members of a JSON object that a request holds, each of the kind that the request needs.
public final class JsonMembers {

  /// The longest text that a refusal repeats.
  private static final int SHOWN_CHARS_MAX = 40;

  private JsonMembers() {}

  /// Returns the string in a member.
  ///
  /// @throws HttpRefusal if the member is absent or of another kind
  public static String text(ObjectNode body, String name) {
    JsonNode value = body.get(name);
    if (value == null || !value.isString()) {
      throw mismatch(name, "a string", value);
    }
    return value.stringValue();
  }

  /// Returns the whole number in a member: 0 to `max`.
  ///
  /// @throws HttpRefusal if the member is absent or holds anything else
  public static long number(ObjectNode body, String name, long max) {
    JsonNode value = body.get(name);
    if (value == null || !isLong(value)) {
      throw mismatch(name, "a whole number", value);
    }
    long number = value.longValue();
    if (number < 0 || number > max) {
      throw mismatch(name, "0 to " + max, value);
    }
    return number;
  }

  /// Returns whether a member is true. An absent member is false.
  ///
  /// @throws HttpRefusal if the member is of another kind
  public static boolean isTrue(ObjectNode body, String name) {
    JsonNode value = body.get(name);
    if (value != null && !value.isBoolean()) {
      throw mismatch(name, "true or false", value);
    }
    return value != null && value.booleanValue();
  }

  /// Returns whether a value is a whole number of 64 bits.
  public static boolean isLong(JsonNode value) {
    return value.isIntegralNumber() && value.canConvertToLong();
  }

  /// Returns the refusal of a value that is not what a request needs in the place.
  ///
  /// @param found null where there is no value
  public static HttpRefusal mismatch(String place, String expected, @Nullable JsonNode found) {
    return HttpRefusal.invalid(place + ": expected " + expected + ", found " + shown(found));
  }

  private static String shown(@Nullable JsonNode value) {
    return switch (value) {
      case null -> "nothing";
      case ArrayNode _ -> "an array";
      case ObjectNode _ -> "an object";
      default -> {
        String text = value.toString(); // as JSON writes the value: null, 5, "text"
        yield text.length() <= SHOWN_CHARS_MAX ? text : value.isString() ? "a text" : "a number";
      }
    };
  }
}
