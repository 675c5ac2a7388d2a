// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import dev.varve.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// Writes the `about` blob of a context: one JSON object, its fields in the order in which they
/// were added. The same fields give the same bytes.
public final class AboutWriter {

  private final List<Consumer<JsonGenerator>> fields = new ArrayList<>();

  /// @param kind names the kind of context, for instance `pi.session`; the first field
  public AboutWriter(String kind) {
    text("kind", kind);
  }

  public AboutWriter text(String name, String value) {
    fields.add(json -> json.writeStringProperty(name, value));
    return this;
  }

  public AboutWriter number(String name, long value) {
    fields.add(json -> json.writeNumberProperty(name, value));
    return this;
  }

  /// Like [#number], but no field at all for 0.
  public AboutWriter numberIfAny(String name, long value) {
    return value == 0 ? this : number(name, value);
  }

  /// The number of a turn or context, or a hash, as text.
  public AboutWriter id(String name, Object value) {
    return text(name, value.toString());
  }

  /// Like [#id], but no field at all for null.
  public AboutWriter idIfAny(String name, @Nullable Object value) {
    return value == null ? this : id(name, value);
  }

  /// A list of numbers or hashes, as text.
  public AboutWriter ids(String name, List<?> values) {
    fields.add(
        json -> {
          json.writeArrayPropertyStart(name);
          values.forEach(value -> json.writeString(value.toString()));
          json.writeEndArray();
        });
    return this;
  }

  public Payload payload() {
    return Payload.wrap(
        StrictJson.write(
            json -> {
              json.writeStartObject();
              fields.forEach(field -> field.accept(json));
              json.writeEndObject();
            }));
  }
}
