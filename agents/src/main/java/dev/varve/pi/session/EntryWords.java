// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.session;

import dev.varve.imports.StrictJson;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// The text of an entry in one line, read from its first bytes, whatever its size.
///
/// @param id empty if it has none, or none that is text
/// @param parentId null if it has none
/// @param timestamp as written
/// @param text the first words, at most some hundred characters; not made safe for terminals
public record EntryWords(
    String id, @Nullable String parentId, @Nullable String timestamp, EntryKind kind, String text) {

  /// The number of bytes of an entry that are looked at.
  static final int LOOK_BYTES = 16 << 10;

  private static final int TEXT_BYTES_MAX = 600;

  /// Reads an entry's first bytes.
  public static EntryWords of(byte[] bytes, int from, int to) {
    Reading reading = new Reading(bytes, from, Math.min(to, from + LOOK_BYTES));
    reading.read();
    EntryKind kind = EntryKind.of(reading.get("type"), reading.get("message.role"));
    return new EntryWords(
        reading.get("id"),
        reading.fields.get("parentId"),
        reading.fields.get("timestamp"),
        kind,
        text(kind, reading).strip());
  }

  private static String text(EntryKind kind, Reading of) {
    String said = of.get("message.content");
    return switch (kind) {
      case USER, SYSTEM, OTHER_MESSAGE -> said.isEmpty() ? of.blocks() : said;
      case ASSISTANT -> {
        String all = said.isEmpty() ? of.blocks() : said;
        yield all.isEmpty() ? of.get("message.errorMessage") : all;
      }
      case TOOL_RESULT -> {
        String failed = of.get("message.isError").equals("true") ? " failed" : "";
        yield of.get("message.toolName") + failed + (said.isEmpty() ? "" : ": " + said);
      }
      case BASH -> of.get("message.command");
      case MODEL -> of.get("provider") + "/" + of.get("modelId");
      case THINKING -> of.get("thinkingLevel");
      case COMPACTION, BRANCH_SUMMARY -> of.get("summary");
      case CUSTOM -> of.get("customType");
      case CUSTOM_MESSAGE -> of.get("customType") + ": " + of.get("content");
      case LABEL -> of.get("label");
      case NAME -> of.get("name");
      case USAGE -> of.get("provider") + "/" + of.get("model");
      case CONTEXT_EDIT -> of.get("targetId");
      case UNKNOWN -> of.get("type");
    };
  }

  /// The scalar fields of the entry and of its message, and the first words of the content.
  private static final class Reading {
    private final byte[] bytes;
    private final int from;
    private final int to;
    private final Map<String, String> fields = new HashMap<>();
    private final StringBuilder calls = new StringBuilder();
    private int images;
    private boolean thinks;

    Reading(byte[] bytes, int from, int to) {
      this.bytes = bytes;
      this.from = from;
      this.to = to;
    }

    String get(String field) {
      return fields.getOrDefault(field, "");
    }

    /// The parts of a message besides text.
    String blocks() {
      if (!calls.isEmpty()) {
        return "calls " + calls;
      }
      return images > 0 ? "(image)" : thinks ? "(thinks)" : "";
    }

    void read() {
      try (JsonParser json = StrictJson.parser(bytes, from, to)) {
        if (json.nextToken() == JsonToken.START_OBJECT) {
          object(json, "");
        }
      } catch (JacksonException e) {
        // where the look ends; what was read until then counts
      }
    }

    private void object(JsonParser json, String prefix) {
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String field = prefix + json.currentName();
        JsonToken value = json.nextToken();
        if (field.equals("message") && value == JsonToken.START_OBJECT) {
          object(json, "message.");
        } else if (field.endsWith("content") && value == JsonToken.START_ARRAY) {
          content(json, field);
        } else if (value == JsonToken.VALUE_STRING) {
          keep(field, json);
        } else if (value == JsonToken.VALUE_TRUE) {
          fields.put(field, "true");
        } else {
          json.skipChildren();
        }
      }
    }

    private void content(JsonParser json, String field) {
      for (JsonToken block = json.nextToken();
          block != null && block != JsonToken.END_ARRAY;
          block = json.nextToken()) {
        if (block != JsonToken.START_OBJECT) {
          json.skipChildren();
          continue;
        }
        String type = "";
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
          String name = json.currentName();
          boolean isText = json.nextToken() == JsonToken.VALUE_STRING;
          if (isText && name.equals("type")) {
            type = json.getString();
            images += type.equals("image") ? 1 : 0;
            thinks |= type.equals("thinking");
          } else if (isText && name.equals("text")) {
            keep(field, json);
          } else if (isText && name.equals("name") && type.equals("toolCall")) {
            calls.append(calls.isEmpty() ? "" : ", ").append(json.getString());
          } else {
            json.skipChildren();
          }
        }
      }
    }

    /// Keeps the first string of this name that says something.
    private void keep(String field, JsonParser json) {
      int start = from + (int) json.currentTokenLocation().getByteOffset() + 1;
      String text;
      try {
        text = json.getString();
      } catch (JacksonException e) {
        fields.putIfAbsent(field, cut(start));
        throw e;
      }
      if (!text.isBlank()) {
        fields.putIfAbsent(
            field, text.length() > TEXT_BYTES_MAX ? text.substring(0, TEXT_BYTES_MAX) : text);
      }
    }

    /// The beginning of a string whose end is out of sight: as much as makes a string once it is
    /// closed.
    private String cut(int start) {
      int end = Math.min(to, start + TEXT_BYTES_MAX);
      for (int tries = 0; tries < 16 && end > start; tries++, end--) {
        byte[] closed = new byte[end - start + 2];
        Arrays.fill(closed, (byte) '"');
        System.arraycopy(bytes, start, closed, 1, end - start);
        try (JsonParser json = StrictJson.parser(closed, 0, closed.length)) {
          json.nextToken();
          return json.getString();
        } catch (JacksonException e) {
          // in the middle of a character or of an escape
        }
      }
      return new String(bytes, start, Math.max(0, end - start), StandardCharsets.UTF_8);
    }
  }
}
