// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import dev.varve.server.value.Json;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// A descriptor: what the tags of one version of a type mean.
///
/// @param fields by tag, an unsigned 64-bit number; in the order of tags
/// @param tagsByName the tags by their fields' names; of two fields with one name, the smaller tag
public record TypeVersion(
    SortedMap<Long, Field> fields, Map<String, Long> tagsByName, @Nullable Renderer renderer)
    implements Json.Answer {

  static TypeVersion of(Map<Long, Field> fields, @Nullable Renderer renderer) {
    SortedMap<Long, Field> ordered = new TreeMap<>(Long::compareUnsigned);
    ordered.putAll(fields);
    Map<String, Long> tags = new HashMap<>();
    ordered.forEach((tag, field) -> tags.putIfAbsent(field.name(), tag));
    return new TypeVersion(
        Collections.unmodifiableSortedMap(ordered), Collections.unmodifiableMap(tags), renderer);
  }

  @Override
  public void write(JsonGenerator json) {
    json.writeStartObject();
    json.writeObjectPropertyStart("fields");
    fields.forEach(
        (tag, field) -> {
          json.writeName(Long.toUnsignedString(tag));
          field.write(json);
        });
    json.writeEndObject();
    if (renderer != null) {
      json.writeName("renderer");
      renderer.write(json);
    }
    json.writeEndObject();
  }
}
