// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import dev.varve.server.value.JsonOutput;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// A descriptor: the meaning of the tags in one version of a type.
///
/// @param fields by tag, an unsigned 64-bit number; in the order of tags
/// @param tagsByName the tags by their fields' names; of two fields with one name, the smaller tag
public record TypeVersion(
    SortedMap<Long, TypeField> fields,
    Map<String, Long> tagsByName,
    @Nullable TypeRenderer renderer)
    implements JsonOutput {

  static TypeVersion of(Map<Long, TypeField> fields, @Nullable TypeRenderer renderer) {
    SortedMap<Long, TypeField> ordered = new TreeMap<>(Long::compareUnsigned);
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
