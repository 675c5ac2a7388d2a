// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.types;

import dev.varve.server.value.PayloadValue;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The entries of a map, sorted by the tags of a descriptor.
///
/// A key may be the tag as a number, the tag as decimal digits, or the field's name: writers in
/// different languages use each form. Of two values for one tag the last counts, but a tag takes
/// precedence over a name.
///
/// @param known values with a field, by tag; in the order of tags
/// @param unknown all other values, by their keys as text
record TaggedFields(SortedMap<Long, PayloadValue> known, Map<String, PayloadValue> unknown) {

  static TaggedFields of(PayloadValue.Entries map, TypeVersion version) {
    TaggedFields fields =
        new TaggedFields(new TreeMap<>(Long::compareUnsigned), new LinkedHashMap<>());
    Set<Long> tagged = new HashSet<>();
    for (PayloadValue.Entry entry : map.entries()) {
      Long tag = tag(entry.key());
      if (tag != null) {
        tagged.add(tag);
        fields.put(tag, entry.value(), version);
      } else if (entry.key() instanceof PayloadValue.Text(String name)) {
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

  private void put(Long tag, PayloadValue value, TypeVersion version) {
    if (version.fields().containsKey(tag)) {
      known.put(tag, value);
    } else {
      unknown.put(Long.toUnsignedString(tag), value);
    }
  }

  /// The tag that a key stands for; null for none.
  static @Nullable Long tag(PayloadValue key) {
    return switch (key) {
      case PayloadValue.Int(long bits, boolean negative) when !negative -> bits;
      case PayloadValue.Text(String text) when text.matches("[0-9]{1,20}") -> parsed(text);
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
