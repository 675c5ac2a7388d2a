// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.gemini;

import dev.varve.imports.StrictJson;
import java.util.Arrays;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Finds the messages of a list: of `messages` in a whole document, or of `messages` in the `$set`
/// of a line.
final class MessageList {

  private MessageList() {}

  /// Hands out the bytes of each message, in order.
  ///
  /// @return false if the JSON is damaged; the messages before the damage were handed out
  static boolean read(byte[] json, Consumer<byte[]> message) {
    try (JsonParser parser = StrictJson.parser(json, 0, json.length)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        members(parser, json, message, true);
      }
      return parser.nextToken() == null;
    } catch (JacksonException e) {
      return false;
    }
  }

  private static void members(
      JsonParser parser, byte[] json, Consumer<byte[]> message, boolean outermost) {
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      if (name.equals("messages") && value == JsonToken.START_ARRAY) {
        items(parser, json, message);
      } else if (name.equals("$set") && value == JsonToken.START_OBJECT && outermost) {
        members(parser, json, message, false);
      } else {
        parser.skipChildren();
      }
    }
  }

  private static void items(JsonParser parser, byte[] json, Consumer<byte[]> message) {
    for (JsonToken item = parser.nextToken();
        item != JsonToken.END_ARRAY && item != null;
        item = parser.nextToken()) {
      int from = (int) parser.currentTokenLocation().getByteOffset();
      if (item.isStructStart()) {
        parser.skipChildren();
      } else {
        parser.finishToken();
      }
      int to = (int) parser.currentLocation().getByteOffset();
      message.accept(Arrays.copyOfRange(json, from, to));
    }
  }
}
