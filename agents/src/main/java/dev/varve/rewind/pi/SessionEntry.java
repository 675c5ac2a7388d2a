// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import dev.varve.pi.session.EntryKind;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// An entry of a session, with the fields that matter for snapshots.
///
/// @param parent null for a root
/// @param time when it was written, as Pi wrote it; may be empty
/// @param mark null for an entry that is none
/// @param labelled the entry that a label is put on, or taken from; null for other entries
/// @param label what the label says; null if it takes one away
public record SessionEntry(
    String id,
    @Nullable String parent,
    EntryKind kind,
    String time,
    @Nullable SessionMark mark,
    @Nullable String labelled,
    @Nullable String label) {

  /// Reads an entry: Pi's own line, or one that was cut down to the fields that matter here, with
  /// `role` beside `type`.
  ///
  /// @param json at the beginning of the object; afterwards at its end
  /// @return null for what is no entry with an id
  public static @Nullable SessionEntry read(JsonParser json) {
    String type = "";
    String role = "";
    String customType = "";
    MarkReader data = new MarkReader();
    @Nullable String id = null;
    @Nullable String parent = null;
    @Nullable String labelled = null;
    @Nullable String label = null;
    String time = "";
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String field = json.currentName();
      JsonToken value = json.nextToken();
      switch (field) {
        case "type" -> type = textOrNothing(json, value);
        case "id" -> id = text(json, value);
        case "parentId" -> parent = text(json, value);
        case "timestamp" -> time = textOrNothing(json, value);
        case "role" -> role = textOrNothing(json, value);
        case "customType" -> customType = textOrNothing(json, value);
        case "targetId" -> labelled = text(json, value);
        case "label" -> label = text(json, value);
        case "message" -> role = role(json, value);
        case "data" -> data.read(json);
        default -> json.skipChildren();
      }
    }
    if (id == null || id.isEmpty()) {
      return null;
    }
    EntryKind kind = EntryKind.of(type, role);
    return new SessionEntry(
        id,
        parent,
        kind,
        time,
        kind == EntryKind.CUSTOM ? data.mark(customType) : null,
        kind == EntryKind.LABEL ? labelled : null,
        label);
  }

  private static String role(JsonParser json, JsonToken value) {
    String role = "";
    if (value != JsonToken.START_OBJECT) {
      json.skipChildren();
      return role;
    }
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String field = json.currentName();
      JsonToken inner = json.nextToken();
      if (field.equals("role")) {
        role = textOrNothing(json, inner);
      } else {
        json.skipChildren();
      }
    }
    return role;
  }

  private static String textOrNothing(JsonParser json, JsonToken value) {
    return Objects.requireNonNullElse(text(json, value), "");
  }

  private static @Nullable String text(JsonParser json, JsonToken value) {
    if (value == JsonToken.VALUE_STRING) {
      return json.getString();
    }
    json.skipChildren();
    return null;
  }
}
