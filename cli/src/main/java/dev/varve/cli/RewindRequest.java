// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/// One line that `varve rewind serve` reads: a flat JSON object, see docs/stdio.md.
///
/// @param id given back with the answer; empty if there was none
/// @param act what is to be done
/// @param texts the fields that are text, by name
/// @param lists the fields that are lists of text, by name
/// @param flags the fields that are true
record RewindRequest(
    String id,
    String act,
    Map<String, String> texts,
    Map<String, List<String>> lists,
    List<String> flags) {

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(4).build())
          .build();

  /// @throws Refusal if it is no such object; what was read of it before is in `id`
  static RewindRequest parse(String line) {
    Map<String, String> texts = new HashMap<>();
    Map<String, List<String>> lists = new HashMap<>();
    List<String> flags = new ArrayList<>();
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), line)) {
      demand(parser.nextToken() == JsonToken.START_OBJECT, "an object");
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = parser.currentName();
        switch (parser.nextToken()) {
          case VALUE_STRING, VALUE_NUMBER_INT -> texts.put(name, parser.getString());
          case START_ARRAY -> lists.put(name, texts(parser));
          case VALUE_TRUE -> flags.add(name);
          case VALUE_FALSE, VALUE_NULL -> {}
          case null, default -> demand(false, "text, true, false, null or a list for " + name);
        }
      }
      demand(parser.nextToken() == null, "one object a line");
    } catch (JacksonException e) {
      throw new Refusal(ExitCodes.USAGE, "request: " + e.getOriginalMessage(), null);
    }
    String id = texts.getOrDefault("id", "");
    return new RewindRequest(id, texts.getOrDefault("do", ""), texts, lists, flags);
  }

  private static List<String> texts(JsonParser parser) {
    List<String> texts = new ArrayList<>();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      demand(token == JsonToken.VALUE_STRING, "text in a list");
      texts.add(parser.getString());
    }
    return texts;
  }

  private static void demand(boolean right, String expected) {
    if (!right) {
      throw new Refusal(ExitCodes.USAGE, "request: expected " + expected, null);
    }
  }

  String text(String name, String otherwise) {
    return texts.getOrDefault(name, otherwise);
  }

  String demandText(String name) {
    @Nullable String value = texts.get(name);
    if (value == null) {
      throw new Refusal(ExitCodes.USAGE, act + ": expected '" + name + "'", null);
    }
    return value;
  }

  List<String> list(String name) {
    return lists.getOrDefault(name, List.of());
  }

  boolean has(String flag) {
    return flags.contains(flag);
  }
}
