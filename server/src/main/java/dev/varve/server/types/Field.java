// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import dev.varve.server.value.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// One field of a type version.
///
/// @param name what it is called in JSON
/// @param type for instance `string`, `u64`, `ref`; any text is allowed, one that nobody knows is
///   rendered as it comes
/// @param enumId which enum its numbers are labels of
/// @param ref the type that its value is projected by
public record Field(
    String name,
    String type,
    @Nullable String enumId,
    @Nullable String ref,
    boolean optional,
    Items items)
    implements Json.Answer {

  /// What the items of an array are.
  public sealed interface Items {

    /// Nothing is said of them.
    enum Any implements Items {
      ANY
    }

    record Of(String type) implements Items {}

    record Ref(String typeId) implements Items {}
  }

  /// What must stay the same for a tag in all versions of its type.
  record Signature(String type, @Nullable String enumId) {
    @Override
    public String toString() {
      return enumId == null ? type : type + " of enum " + enumId;
    }
  }

  Signature signature() {
    return new Signature(type, enumId);
  }

  @Override
  public void write(JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("name", name);
    json.writeStringProperty("type", type);
    if (enumId != null) {
      json.writeStringProperty("enum", enumId);
    }
    if (ref != null) {
      json.writeStringProperty("ref", ref);
    }
    if (optional) {
      json.writeBooleanProperty("optional", true);
    }
    switch (items) {
      case Items.Any _ -> {}
      case Items.Of of -> json.writeStringProperty("items", of.type());
      case Items.Ref of -> {
        json.writeObjectPropertyStart("items");
        json.writeStringProperty("type", "ref");
        json.writeStringProperty("ref", of.typeId());
        json.writeEndObject();
      }
    }
    json.writeEndObject();
  }
}
