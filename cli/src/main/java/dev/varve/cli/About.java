// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.ContextHead;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import java.io.StringWriter;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// What the blob says that describes a context. By convention it is a JSON object.
///
/// @param title what people see; may be empty
/// @param kind which program described it, and as what; may be empty
/// @param file the name of the file that it was imported from; may be empty
record About(String title, String kind, String file) {

  private static final JsonFactory JSON = new JsonFactory();
  private static final About NOTHING = new About("", "", "");

  /// A larger description is not looked into.
  private static final int SIZE_BYTES_MAX = 1 << 20;

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

  /// A damaged description is `varve check`'s business: the contexts are listed nevertheless.
  static About of(ContextHead context, Store store) {
    if (context.about() == null) {
      return NOTHING;
    }
    try {
      return read(store.get(context.about()));
    } catch (StoreException.Corrupt | StoreException.NotFound e) {
      return new About("(its description is damaged)", "", "");
    }
  }

  /// Whether the context holds no conversation, but an import's notes on how its files were made
  /// up.
  boolean isBookkeeping() {
    return kind.endsWith(".manifest");
  }

  private static About read(Payload blob) {
    if (blob.sizeBytes() > SIZE_BYTES_MAX) {
      return NOTHING;
    }
    String title = "";
    String kind = "";
    String file = "";
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), blob.text())) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return NOTHING;
      }
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = parser.currentName();
        boolean text = parser.nextToken() == JsonToken.VALUE_STRING;
        if (text && name.equals("title")) {
          title = parser.getString().strip();
        } else if (text && name.equals("kind")) {
          kind = parser.getString();
        } else if (text && name.equals("file")) {
          file = parser.getString();
        }
        parser.skipChildren();
      }
    } catch (JacksonException e) {
      return NOTHING; // not JSON: somebody else's convention
    }
    return new About(title, kind, file);
  }
}
