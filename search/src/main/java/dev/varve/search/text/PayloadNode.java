// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// A value of a payload, JSON or msgpack alike. A value that is missing is empty: neither text nor
/// members nor items.
///
/// @param text a string, or a number or truth value as it is spelled
/// @param string whether the value is a string
record PayloadNode(
    String text, boolean string, Map<String, PayloadNode> members, List<PayloadNode> items) {

  static final PayloadNode NOTHING = new PayloadNode("", false, Map.of(), List.of());

  static PayloadNode ofString(String text) {
    return new PayloadNode(text, true, Map.of(), List.of());
  }

  static PayloadNode ofScalar(String text) {
    return new PayloadNode(text, false, Map.of(), List.of());
  }

  /// The member of one of these names that comes first in this list; empty if there is none.
  PayloadNode get(String... names) {
    for (String name : names) {
      PayloadNode member = members.get(name);
      if (member != null) {
        return member;
      }
    }
    return NOTHING;
  }

  /// The string of the first of these members that is a string and not empty; else empty.
  String textOf(String... names) {
    for (String name : names) {
      PayloadNode member = members.get(name);
      if (member != null && member.string && !member.text.isEmpty()) {
        return member.text;
      }
    }
    return "";
  }

  boolean isObject() {
    return !members.isEmpty();
  }

  /// Hands out every string below this value, in order, with the names in between left out.
  void eachString(Consumer<String> each) {
    if (string && !text.isBlank()) {
      each.accept(text);
    }
    members.values().forEach(member -> member.eachString(each));
    items.forEach(item -> item.eachString(each));
  }

  /// The text of a content: the string itself, or the `text` of each of its blocks, one a line.
  String joinedText() {
    if (string) {
      return text;
    }
    List<String> lines = new ArrayList<>();
    for (PayloadNode item : items) {
      lines.add(item.string ? item.text : item.textOf("text"));
    }
    if (isObject()) {
      eachString(lines::add);
    }
    return String.join("\n", lines);
  }

  /// A map of members that keeps their order. Of a name that stands twice the last value counts.
  static Map<String, PayloadNode> noMembers() {
    return new LinkedHashMap<>();
  }
}
