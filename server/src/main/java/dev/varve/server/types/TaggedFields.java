// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import dev.varve.server.value.Value;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A map as a descriptor sees it.
///
/// A key may be the tag as a number, the tag as decimal digits, or the field's name: writers in
/// different languages do each. Of two values for one tag the last counts, but a tag goes before a
/// name.
///
/// @param known values by tag, those that have a field; in the order of tags
/// @param unknown values by their keys as text, the others
record TaggedFields(SortedMap<Long, Value> known, Map<String, Value> unknown) {

  static TaggedFields of(Value.Entries map, TypeVersion version) {
    TaggedFields fields =
        new TaggedFields(new TreeMap<>(Long::compareUnsigned), new LinkedHashMap<>());
    Set<Long> tagged = new HashSet<>();
    for (Value.Entry entry : map.entries()) {
      Long tag = tag(entry.key());
      if (tag != null) {
        tagged.add(tag);
        fields.put(tag, entry.value(), version);
      } else if (entry.key() instanceof Value.Text(String name)) {
        Long named = version.tagsByName().get(name);
        if (named == null) {
          fields.unknown.put(name, entry.value());
        } else if (!tagged.contains(named)) {
          fields.known.put(named, entry.value());
        }
      }
    }
    return fields;
  }

  private void put(Long tag, Value value, TypeVersion version) {
    if (version.fields().containsKey(tag)) {
      known.put(tag, value);
    } else {
      unknown.put(Long.toUnsignedString(tag), value);
    }
  }

  /// The tag that a key is; null if it is none.
  static @Nullable Long tag(Value key) {
    return switch (key) {
      case Value.Int(long bits, boolean negative) when !negative -> bits;
      case Value.Text(String text) when text.matches("[0-9]{1,20}") -> parsed(text);
      default -> null;
    };
  }

  private static @Nullable Long parsed(String digits) {
    try {
      return Long.parseUnsignedLong(digits);
    } catch (NumberFormatException e) {
      return null; // beyond 64 bits
    }
  }
}
