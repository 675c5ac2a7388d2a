// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.ledger.SessionEntry;
import dev.varve.ledger.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/// One line that `varve rewind serve` reads: a JSON object, see docs/stdio.md.
///
/// @param id given back with the answer; empty if there was none
/// @param act what is to be done
/// @param texts the fields that are text, by name
/// @param lists the fields that are lists of text, by name
/// @param flags the fields that are true or false
/// @param entries of a session
/// @param settings null if the line has none
record RewindRequest(
    String id,
    String act,
    Map<String, String> texts,
    Map<String, List<String>> lists,
    Map<String, Boolean> flags,
    List<SessionEntry> entries,
    @Nullable Settings settings) {

  private static final Set<String> LISTS = Set.of("paths", "paths_escaped", "entries");
  private static final Set<String> FLAGS = Set.of("keep_edits", "late", "trusted");
  private static final String SETTINGS = "settings";

  /// Entries may come whole, with what tools said.
  private static final int DEPTH_MAX = 1_000;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
          .build();

  /// @throws Refusal if it is no such object
  static RewindRequest parse(String line) {
    Map<String, String> texts = new HashMap<>();
    Map<String, List<String>> lists = new HashMap<>();
    Map<String, Boolean> flags = new HashMap<>();
    List<SessionEntry> entries = new ArrayList<>();
    @Nullable Settings settings = null;
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), line)) {
      demand(parser.nextToken() == JsonToken.START_OBJECT, "an object");
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = parser.currentName();
        JsonToken token = parser.nextToken();
        demandKind(name, token);
        switch (token) {
          case VALUE_STRING, VALUE_NUMBER_INT -> texts.put(name, parser.getString());
          case START_ARRAY -> {
            if (name.equals("entries")) {
              entries.addAll(entries(parser));
            } else {
              lists.put(name, texts(parser));
            }
          }
          case START_OBJECT -> {
            if (name.equals(SETTINGS)) {
              settings = Settings.read(parser);
            } else {
              parser.skipChildren();
            }
          }
          case VALUE_TRUE -> flags.put(name, true);
          case VALUE_FALSE -> flags.put(name, false);
          case VALUE_NULL -> {}
          case null, default -> demand(false, "text, true, false, null or a list for " + name);
        }
      }
      demand(parser.nextToken() == null, "one object a line");
    } catch (JacksonException e) {
      throw new Refusal(ExitCodes.USAGE, "request: " + e.getOriginalMessage(), null);
    }
    String id = texts.getOrDefault("id", "");
    return new RewindRequest(
        id, texts.getOrDefault("do", ""), texts, lists, flags, entries, settings);
  }

  /// A field of another kind than it is to be is no field that was left away: without `paths`, all
  /// is restored.
  private static void demandKind(String name, @Nullable JsonToken token) {
    if (token == JsonToken.VALUE_NULL) {
      return;
    }
    if (LISTS.contains(name)) {
      demand(token == JsonToken.START_ARRAY, "a list as '" + name + "'");
    } else if (FLAGS.contains(name)) {
      demand(
          token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE,
          "true or false as '" + name + "'");
    } else if (name.equals(SETTINGS)) {
      demand(token == JsonToken.START_OBJECT, "an object as '" + name + "'");
    }
  }

  /// The `id` of a line that is no request otherwise; empty if it cannot be told.
  static String id(String line) {
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), line)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
          boolean found = parser.currentName().equals("id");
          JsonToken token = parser.nextToken();
          if (found && (token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NUMBER_INT)) {
            return parser.getString();
          }
          parser.skipChildren();
        }
      }
    } catch (JacksonException e) {
      // It is damaged before its id.
    }
    return "";
  }

  private static List<SessionEntry> entries(JsonParser parser) {
    List<SessionEntry> entries = new ArrayList<>();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      demand(token == JsonToken.START_OBJECT, "objects as entries");
      SessionEntry entry = SessionEntry.read(parser);
      demand(entry != null, "an id in each entry");
      entries.add(entry);
    }
    return entries;
  }

  /// The same request with another text.
  RewindRequest with(String name, String value) {
    Map<String, String> more = new HashMap<>(texts);
    more.put(name, value);
    return new RewindRequest(id, act, more, lists, flags, entries, settings);
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
    return flags.getOrDefault(flag, false);
  }

  /// Whether a flag is there and not set.
  boolean isFalse(String flag) {
    return !flags.getOrDefault(flag, true);
  }
}
