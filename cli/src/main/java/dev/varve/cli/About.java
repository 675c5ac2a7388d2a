// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.ContextHead;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// The blob that describes a context. By convention a JSON object; its `title` is what people see.
final class About {

  private static final JsonFactory JSON = new JsonFactory();

  /// A larger description is not looked into for a title.
  private static final int SIZE_BYTES_MAX = 1 << 20;

  private About() {}

  /// A description with just a title.
  static Payload titled(String title) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeStringProperty("title", title);
      json.writeEndObject();
    }
    return Payload.utf8(text.toString());
  }

  /// The title of a context; empty if it has none. A damaged description is `varve check`'s business: the list
  /// of contexts is shown without it.
  static String title(ContextHead context, Store store) {
    if (context.about() == null) {
      return "";
    }
    try {
      return title(store.get(context.about()));
    } catch (StoreException.Corrupt | StoreException.NotFound e) {
      return "(its description is damaged)";
    }
  }

  private static String title(Payload about) {
    if (about.sizeBytes() > SIZE_BYTES_MAX) {
      return "";
    }
    String title = null;
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), about.text())) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return "";
      }
      while (parser.nextToken() == JsonToken.PROPERTY_NAME && title == null) {
        boolean found = parser.currentName().equals("title");
        JsonToken value = parser.nextToken();
        title = found && value == JsonToken.VALUE_STRING ? parser.getString() : null;
        parser.skipChildren();
      }
    } catch (JacksonException e) {
      return "";
    }
    return orEmpty(title);
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text.strip();
  }
}
