// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.stdio;

import dev.varve.StoreException;
import dev.varve.rewind.pi.RewindSettings;
import dev.varve.rewind.pi.SessionEntry;
import dev.varve.rewind.pi.SettingsReader;
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

/// A request of the protocol: one line with a JSON object, see docs/stdio.md.
///
/// @param id the text that the answer repeats; empty if the request has no id
/// @param act the field `do`: the name of the request
/// @param texts the fields that are text, by name
/// @param lists the fields that are lists of text, by name
/// @param flags the fields that are true or false, by name
/// @param entries the entries of a session that came since the last request
/// @param settings the settings of the session; null if the request has none
record RewindRequest(
    String id,
    String act,
    Map<String, String> texts,
    Map<String, List<String>> lists,
    Map<String, Boolean> flags,
    List<SessionEntry> entries,
    @Nullable RewindSettings settings) {

  private static final Set<String> LISTS = Set.of("paths", "paths_escaped", "entries");
  private static final Set<String> FLAGS = Set.of("keep_edits", "late", "size", "trusted");
  private static final String SETTINGS = "settings";

  /// Entries may come whole, with the results of tools in them.
  private static final int DEPTH_MAX = 1_000;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
          .build();

  /// Reads a line.
  ///
  /// @throws StoreException.Invalid if the line is not one JSON object, or a field has another kind
  ///   than the page says
  static RewindRequest parse(String line) {
    Map<String, String> texts = new HashMap<>();
    Map<String, List<String>> lists = new HashMap<>();
    Map<String, Boolean> flags = new HashMap<>();
    List<SessionEntry> entries = new ArrayList<>();
    @Nullable RewindSettings settings = null;
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
              settings = SettingsReader.read(parser);
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
      throw new StoreException.Invalid("request", e.getOriginalMessage());
    }
    String id = texts.getOrDefault("id", "");
    return new RewindRequest(
        id, texts.getOrDefault("do", ""), texts, lists, flags, entries, settings);
  }

  /// Refuses a known field of the wrong kind. To pass over such a field would change the meaning of
  /// the request: without `paths`, all files are restored.
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

  /// The `id` of a line that is refused; empty if the line is damaged before its id.
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
      // The line is damaged before its id.
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

  /// The same request with another text in one field.
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
      throw new StoreException.Invalid("request", "expected " + expected);
    }
  }

  String text(String name, String otherwise) {
    return texts.getOrDefault(name, otherwise);
  }

  String demandText(String name) {
    @Nullable String value = texts.get(name);
    if (value == null) {
      throw new StoreException.Invalid(act, "expected '" + name + "'");
    }
    return value;
  }

  List<String> list(String name) {
    return lists.getOrDefault(name, List.of());
  }

  boolean has(String flag) {
    return flags.getOrDefault(flag, false);
  }

  /// The id of the session's last entry on the current branch; null if the request names none.
  @Nullable String leaf() {
    return texts.get("leaf");
  }

  /// The longest list that is wanted.
  ///
  /// @throws StoreException.Invalid if the field `limit` is not a number of 0 or more
  int limit() {
    try {
      return Integer.parseUnsignedInt(text("limit", "100"));
    } catch (NumberFormatException e) {
      throw new StoreException.Invalid(act, "expected a number as 'limit'");
    }
  }

  /// True if a flag is present and false.
  boolean isFalse(String flag) {
    return !flags.getOrDefault(flag, true);
  }
}
