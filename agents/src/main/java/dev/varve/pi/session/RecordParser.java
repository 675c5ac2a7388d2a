// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.session;

import dev.varve.imports.StrictJson;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Reads the few facts of a line that decide where it belongs, and never more than its outermost
/// object.
public final class RecordParser {

  private static final SessionRecord BLANK = new SessionRecord.Blank();
  private static final SessionRecord FOREIGN = new SessionRecord.Foreign();
  private static final int WHY_MAX = 120;

  private RecordParser() {}

  /// The record that the bytes from `from` to `to` make as a whole.
  ///
  /// Pi reads a file as UTF-8 with wrong bytes replaced, so a wrong byte inside a string does not
  /// make an entry any less an entry here either.
  public static SessionRecord line(byte[] bytes, int from, int to) {
    if (blank(bytes, from, to)) {
      return BLANK;
    }
    SessionRecord record = parse(bytes, from, to, true, true);
    if (record instanceof SessionRecord.Damaged && !utf8(bytes, from, to)) {
      byte[] replaced =
          new String(bytes, from, to - from, StandardCharsets.UTF_8)
              .getBytes(StandardCharsets.UTF_8);
      return switch (parse(replaced, 0, replaced.length, true, false)) {
        case SessionRecord.Damaged _ -> new SessionRecord.Damaged("not UTF-8, and not JSON");
        case SessionRecord.Entry e ->
            new SessionRecord.Entry(
                e.type(),
                e.id(),
                e.parentId(),
                e.parentNamed(),
                e.timestamp(),
                e.name(),
                false,
                to);
        case SessionRecord other -> other;
      };
    }
    return record;
  }

  /// The record that begins at `from`, whatever follows the record.
  static SessionRecord prefix(byte[] bytes, int from, int to) {
    return parse(bytes, from, to, false, true);
  }

  /// The facts at the beginning of a record whose end is not at hand. Pi writes the fields that
  /// decide an entry's place first.
  static SessionRecord opening(byte[] bytes, int from, int to) {
    try (JsonParser json = StrictJson.parser(bytes, from, to)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return FOREIGN;
      }
      Fields fields = new Fields();
      try {
        fields.read(json);
      } catch (JacksonException e) {
        // here it is cut
      }
      return fields.record(true, to);
    } catch (JacksonException e) {
      return new SessionRecord.Damaged("the beginning is not JSON");
    }
  }

  private static SessionRecord parse(byte[] bytes, int from, int to, boolean all, boolean utf8) {
    try (JsonParser json = StrictJson.parser(bytes, from, to)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        json.skipChildren();
        return all && json.nextToken() != null
            ? new SessionRecord.Damaged("more than one JSON value")
            : FOREIGN;
      }
      Fields fields = new Fields();
      fields.read(json);
      int end = from + (int) json.currentLocation().getByteOffset();
      if (all && json.nextToken() != null) {
        return new SessionRecord.Damaged("more follows the JSON object");
      }
      return fields.record(utf8, all ? to : end);
    } catch (JacksonException e) {
      String why = e.getOriginalMessage();
      return new SessionRecord.Damaged(why.substring(0, Math.min(why.length(), WHY_MAX)).strip());
    }
  }

  private static boolean blank(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\r') {
        return false;
      }
    }
    return true;
  }

  private static boolean utf8(byte[] bytes, int from, int to) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, to - from));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  /// The outermost fields that mean something. A field that is there twice counts the second time,
  /// as in JavaScript.
  private static final class Fields {
    private @Nullable String type;
    private @Nullable String id;
    private @Nullable String parentId;
    private boolean idNamed;
    private boolean parentNamed;
    private @Nullable String cwd;
    private @Nullable String timestamp;
    private @Nullable String parentSession;
    private @Nullable String name;
    private int version = 1;

    void read(JsonParser json) {
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String field = json.currentName();
        JsonToken value = json.nextToken();
        switch (field) {
          case "type" -> type = text(json, value);
          case "id" -> {
            id = text(json, value);
            idNamed = true;
          }
          case "parentId" -> {
            parentId = text(json, value);
            parentNamed = true;
          }
          case "cwd" -> cwd = text(json, value);
          case "timestamp" -> timestamp = text(json, value);
          case "parentSession", "branchedFrom" -> parentSession = text(json, value);
          case "name" -> name = text(json, value);
          case "version" -> version = number(json, value);
          default -> json.skipChildren();
        }
      }
    }

    private static @Nullable String text(JsonParser json, JsonToken value) {
      if (value == JsonToken.VALUE_STRING) {
        return json.getString();
      }
      json.skipChildren();
      return null;
    }

    private static int number(JsonParser json, JsonToken value) {
      if (value == JsonToken.VALUE_NUMBER_INT && json.getStringLength() < 10) {
        return Math.max(0, json.getIntValue());
      }
      json.skipChildren();
      return 0;
    }

    SessionRecord record(boolean utf8, int end) {
      if (type != null && type.equals("session")) {
        return id == null
            ? FOREIGN
            : new SessionRecord.Header(
                id, version, cwd == null ? "" : cwd, timestamp, parentSession);
      }
      if (id == null && (idNamed || type == null)) {
        return FOREIGN;
      }
      return new SessionRecord.Entry(
          type == null ? "" : type,
          id,
          parentId,
          parentNamed,
          timestamp,
          "session_info".equals(type) ? (name == null ? "" : name) : null,
          utf8,
          end);
    }
  }
}
