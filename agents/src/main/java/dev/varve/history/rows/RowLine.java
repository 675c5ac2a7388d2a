// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.rows;

import dev.varve.StoreException;
import dev.varve.history.RecordValue;
import dev.varve.history.bytes.ElidedLine;
import dev.varve.imports.StrictJson;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// The line that stands for a row (docs/format/history-manifest.md): a JSON object whose member
/// [#ROW] has the columns. The JSON object in the column `data` is the rest of the line, without
/// the ids that a fork changes, so that a message, its copy in a fork and the event that wrote it
/// are the same bytes.
public final class RowLine {

  /// The member with everything that is not the content.
  public static final String ROW = "$row";

  private static final String DATA = "data";

  /// The members of a message or a part that a fork changes in its copies.
  private static final Set<String> IDS = Set.of("id", "sessionID", "messageID", "parentID");

  /// The summary of a prompt's changes is filled in when the answer is complete.
  private static final Set<String> IDS_AND_SUMMARY =
      Set.of("id", "sessionID", "messageID", "parentID", "summary");

  /// The content of `data` and what stands around it.
  @SuppressWarnings("ArrayRecordComponent") // nobody compares these
  private record Content(String head, ElidedLine inner, String tail) {}

  private RowLine() {}

  /// The line of a row, without its line feed.
  public static byte[] encode(DatabaseRow row) {
    Content content = content(row);
    byte[] outer =
        StrictJson.write(
            json -> {
              json.writeStartObject();
              json.writeObjectPropertyStart(ROW);
              json.writeStringProperty("table", row.table());
              json.writeObjectPropertyStart("columns");
              row.columns()
                  .forEach(
                      (name, value) -> {
                        if (content == null || !name.equals(DATA)) {
                          json.writeName(name);
                          writeValue(value, json);
                        }
                      });
              json.writeEndObject();
              if (content != null) {
                writeContent(content, json);
              }
              json.writeEndObject();
              json.writeEndObject();
            });
    if (content == null) {
      return outer;
    }
    byte[] kept = content.inner().kept();
    ByteArrayOutputStream line = new ByteArrayOutputStream(outer.length + kept.length);
    line.write(outer, 0, outer.length - 1);
    line.write(',');
    line.write(kept, 1, kept.length - 1);
    return line.toByteArray();
  }

  private static void writeContent(Content content, JsonGenerator json) {
    json.writeStringProperty("head", content.head());
    json.writeStringProperty("tail", content.tail());
    json.writeArrayPropertyStart("cuts");
    for (ElidedLine.Cut cut : content.inner().cuts()) {
      json.writeNumber(cut.offset());
      json.writeString(new String(cut.bytes(), StandardCharsets.UTF_8));
    }
    json.writeEndArray();
  }

  private static void writeValue(@Nullable Object value, JsonGenerator json) {
    switch (value) {
      case null -> json.writeNull();
      case Long number -> json.writeNumber(number);
      case Double real -> writeTagged("real", real.toString(), json);
      case String text -> json.writeString(text);
      case DatabaseRow.RawText(byte[] bytes) -> writeTagged("text", base64(bytes), json);
      case byte[] blob -> writeTagged("blob", base64(blob), json);
      default -> throw new AssertionError("no value of a column: " + value.getClass());
    }
  }

  private static void writeTagged(String tag, String value, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty(tag, value);
    json.writeEndObject();
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /// The content of the row's `data`; null if that is no JSON object with a member that stays, or
  /// would not come back byte for byte.
  private static @Nullable Content content(DatabaseRow row) {
    if (!(row.columns().get(DATA) instanceof String text) || text.indexOf('\n') >= 0) {
      return null;
    }
    byte[] data = text.getBytes(StandardCharsets.UTF_8);
    int[] inner = {0, data.length};
    if (row.table().equals("event")) {
      String member = row.text("type").startsWith("message.part.updated") ? "part" : "info";
      inner = member(data, member);
    }
    byte[] object = Arrays.copyOfRange(data, inner[0], inner[1]);
    RecordValue value = RecordValue.object(object).orElse(null);
    if (value == null || !value.isObject() || object[0] != '{' || object[1] != '"') {
      return null;
    }
    boolean summary = value.get("summary").isObject();
    ElidedLine elided = ElidedLine.of(object, summary ? IDS_AND_SUMMARY : IDS);
    boolean rowLike = elided.kept().length < 3 || value.has(ROW);
    if (rowLike || !Arrays.equals(elided.restored(), object)) {
      return null;
    }
    return new Content(
        new String(data, 0, inner[0], StandardCharsets.UTF_8),
        elided,
        new String(data, inner[1], data.length - inner[1], StandardCharsets.UTF_8));
  }

  /// The range of an object that is a member of the outermost object; empty if there is none.
  private static int[] member(byte[] data, String name) {
    try (JsonParser json = StrictJson.parser(data, 0, data.length)) {
      if (json.nextToken() == JsonToken.START_OBJECT) {
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
          boolean wanted = json.currentName().equals(name);
          if (json.nextToken() == JsonToken.START_OBJECT && wanted) {
            int from = (int) json.currentTokenLocation().getByteOffset();
            json.skipChildren();
            return new int[] {from, (int) json.currentLocation().getByteOffset()};
          }
          json.skipChildren();
        }
      }
    } catch (JacksonException e) {
      // no JSON
    }
    return new int[] {0, 0};
  }

  /// The row of a line.
  ///
  /// @throws StoreException.Invalid if the line stands for none
  public static DatabaseRow decode(byte[] line) {
    return find(line)
        .orElseThrow(
            () -> new StoreException.Invalid("rows", "expected a line that stands for a row"));
  }

  /// The row of a line; empty if the line stands for none.
  public static Optional<DatabaseRow> find(byte[] line) {
    try (JsonParser json = StrictJson.parser(line, 0, line.length)) {
      json.nextToken();
      if (!ROW.equals(json.nextName())) {
        return Optional.empty();
      }
      json.nextToken();
      String table = "";
      Map<String, @Nullable Object> columns = new LinkedHashMap<>();
      String head = null;
      String tail = "";
      List<ElidedLine.Cut> cuts = new ArrayList<>();
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        json.nextToken();
        switch (name) {
          case "table" -> table = json.getString();
          case "columns" -> readColumns(json, columns);
          case "head" -> head = json.getString();
          case "tail" -> tail = json.getString();
          case "cuts" -> readCuts(json, cuts);
          default -> json.skipChildren();
        }
      }
      if (head != null) {
        ElidedLine inner = new ElidedLine(ElidedLine.of(line, Set.of(ROW)).kept(), cuts);
        columns.put(DATA, head + new String(inner.restored(), StandardCharsets.UTF_8) + tail);
      }
      return Optional.of(new DatabaseRow(table, columns));
    } catch (JacksonException | IllegalArgumentException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  private static void readCuts(JsonParser json, List<ElidedLine.Cut> cuts) {
    while (json.nextToken() == JsonToken.VALUE_NUMBER_INT) {
      int offset = json.getIntValue();
      json.nextToken();
      cuts.add(new ElidedLine.Cut(offset, json.getString().getBytes(StandardCharsets.UTF_8)));
    }
  }

  private static void readColumns(JsonParser json, Map<String, @Nullable Object> columns) {
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      columns.put(
          name,
          switch (json.nextToken()) {
            case VALUE_NULL -> null;
            case VALUE_NUMBER_INT -> json.getLongValue();
            case VALUE_STRING -> json.getString();
            default -> readTagged(json);
          });
    }
  }

  private static Object readTagged(JsonParser json) {
    String tag = json.nextName();
    json.nextToken();
    String value = json.getString();
    json.nextToken();
    return switch (String.valueOf(tag)) {
      case "real" -> Double.valueOf(value);
      case "text" -> new DatabaseRow.RawText(Base64.getDecoder().decode(value));
      case "blob" -> Base64.getDecoder().decode(value);
      default -> throw new IllegalArgumentException("no value: " + tag);
    };
  }
}
