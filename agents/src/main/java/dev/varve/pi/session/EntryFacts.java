// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.session;

import dev.varve.imports.StrictJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// The facts of an entry beyond its place in the tree.
///
/// @param awaited whether, by what it is, the agent is still at work behind it: a prompt, a call of
///   a tool, a tool's result
/// @param refersTo the id of another entry that it speaks of: a label's target, the first entry
///   that a compaction keeps
/// @param label the text of a label; null where it takes a label away
/// @param startedAtUnixMs the time of a message, when its request began; -1 if there is none
public record EntryFacts(
    EntryKind kind,
    boolean awaited,
    @Nullable String refersTo,
    @Nullable String label,
    long startedAtUnixMs) {

  /// Reads an entry's bytes. Of one that is cut off, what stands in front of the cut.
  public static EntryFacts of(String type, byte[] bytes, int from, int to) {
    Reading reading = new Reading();
    try (JsonParser json = StrictJson.parser(bytes, from, to)) {
      json.nextToken();
      reading.entry(json);
    } catch (JacksonException e) {
      // cut off, or an odd value: what was read counts
    }
    EntryKind kind = EntryKind.of(type, reading.role);
    boolean awaited =
        switch (kind) {
          case USER, TOOL_RESULT -> true;
          case ASSISTANT -> "toolUse".equals(reading.stopReason);
          default -> false;
        };
    return new EntryFacts(kind, awaited, reading.refersTo, reading.label, reading.startedAtUnixMs);
  }

  private static final class Reading {
    private @Nullable String role;
    private @Nullable String stopReason;
    private @Nullable String refersTo;
    private @Nullable String label;
    private long startedAtUnixMs = -1;

    void entry(JsonParser json) {
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String field = json.currentName();
        JsonToken value = json.nextToken();
        switch (field) {
          case "message" -> {
            if (value == JsonToken.START_OBJECT) {
              message(json);
            } else {
              json.skipChildren();
            }
          }
          case "targetId", "firstKeptEntryId" -> refersTo = text(json, value);
          case "label" -> label = text(json, value);
          default -> json.skipChildren();
        }
      }
    }

    private void message(JsonParser json) {
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String field = json.currentName();
        JsonToken value = json.nextToken();
        switch (field) {
          case "role" -> role = text(json, value);
          case "stopReason" -> stopReason = text(json, value);
          case "timestamp" -> startedAtUnixMs = number(json, value);
          default -> json.skipChildren();
        }
      }
    }

    private static long number(JsonParser json, JsonToken value) {
      if (value == JsonToken.VALUE_NUMBER_INT && json.getStringLength() < 16) {
        return json.getLongValue();
      }
      json.skipChildren();
      return -1;
    }

    private static @Nullable String text(JsonParser json, JsonToken value) {
      if (value == JsonToken.VALUE_STRING) {
        return json.getString();
      }
      json.skipChildren();
      return null;
    }
  }
}
