// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.http;

import dev.varve.ContextId;
import dev.varve.TurnId;
import dev.varve.server.value.IdFormat;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// How ids are written: as strings, since JavaScript's numbers end at 2^53, or as numbers for those
/// who ask with `u64_format=number`. Read, both are taken.
enum Ids {
  STRINGS,
  NUMBERS;

  static final Route.Param PARAM =
      new Route.Param("u64_format", "string", "how ids are written", "string", "number");

  static Ids of(Request request) {
    return switch (request.query("u64_format").orElse("")) {
      case "", "string" -> STRINGS;
      case "number" -> NUMBERS;
      default -> throw HttpRefusal.invalid("u64_format: expected string or number");
    };
  }

  /// The same, for answers that are written as they are sent.
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

  /// The turn that a member of a body names, as a string or as a number.
  ///
  /// @param otherwise what an absent member or null means
  static TurnId turn(ObjectNode object, String name, TurnId otherwise) {
    JsonNode value = object.get(name);
    if (value == null || value.isNull()) {
      return otherwise;
    }
    if (value.isString() || value.isIntegralNumber()) {
      return TurnId.parse(value.asString());
    }
    throw HttpRefusal.invalid(name + ": expected a turn's id, found " + value.getNodeType());
  }
}
