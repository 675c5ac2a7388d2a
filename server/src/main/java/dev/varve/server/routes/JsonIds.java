// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.routes;

import dev.varve.ContextId;
import dev.varve.TurnId;
import dev.varve.server.http.HttpRefusal;
import dev.varve.server.http.HttpRequest;
import dev.varve.server.http.JsonMembers;
import dev.varve.server.http.Route;
import dev.varve.server.value.IdFormat;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The form of ids in JSON: strings, because JavaScript's numbers are exact only up to 2^53, or
/// numbers for clients that send `u64_format=number`. Both forms are accepted as input.
enum JsonIds {
  STRINGS,
  NUMBERS;

  static final Route.Param PARAM =
      new Route.Param("u64_format", "string", "how ids are written", "string", "number");

  static JsonIds of(HttpRequest request) {
    return switch (request.query("u64_format").orElse("")) {
      case "", "string" -> STRINGS;
      case "number" -> NUMBERS;
      default -> throw HttpRefusal.invalid("u64_format: expected string or number");
    };
  }

  /// The same form for streamed answers.
  IdFormat format() {
    return this == NUMBERS ? IdFormat.NUMBER : IdFormat.TEXT;
  }

  ObjectNode put(ObjectNode object, String name, ContextId id) {
    return put(object, name, id.value());
  }

  ObjectNode put(ObjectNode object, String name, TurnId id) {
    return put(object, name, id.value());
  }

  private ObjectNode put(ObjectNode object, String name, long id) {
    return this == NUMBERS ? object.put(name, id) : object.put(name, Long.toUnsignedString(id));
  }

  /// The turn id in a member of a body, given as a string or as a number.
  ///
  /// @param otherwise the value for an absent member or null
  static TurnId turn(ObjectNode object, String name, TurnId otherwise) {
    JsonNode value = object.get(name);
    if (value == null || value.isNull()) {
      return otherwise;
    }
    if (value.isString() || value.isIntegralNumber()) {
      return TurnId.parse(value.asString());
    }
    throw JsonMembers.mismatch(name, "a turn's id", value);
  }
}
