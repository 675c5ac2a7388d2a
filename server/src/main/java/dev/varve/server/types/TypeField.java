// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import dev.varve.server.value.JsonOutput;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// One field of a type version.
///
/// @param name of the member in JSON
/// @param type for instance `string`, `u64`, `ref`; any text is allowed, and a value of an unknown
///   type is shown without conversion
/// @param enumId the enum that labels the field's numbers
/// @param ref the type by which the value is projected
public record TypeField(
    String name,
    String type,
    @Nullable String enumId,
    @Nullable String ref,
    boolean optional,
    Items items)
    implements JsonOutput {

  /// The type of an array's items.
  public sealed interface Items {

    /// Not declared.
    enum Any implements Items {
      ANY
    }

    record Of(String type) implements Items {}

    record Ref(String typeId) implements Items {}
  }

  /// The parts of a field that must be equal in all versions of its type.
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
