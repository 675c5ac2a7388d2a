// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import dev.varve.imports.StrictJson;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamContext;

/// A string in a JSON document: a value, or the name of a field.
final class JsonLeaf {

  /// Longer strings without any space are no text: images, signatures.
  private static final int BINARY_MIN = 4096;

  private final byte[] bytes;
  private final int from;
  private final int to;
  private final @Nullable String owner;
  private final boolean isName;
  private final String pointer;

  private JsonLeaf(
      byte[] bytes, int from, int to, @Nullable String owner, boolean isName, String pointer) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.owner = owner;
    this.isName = isName;
    this.pointer = pointer;
  }

  /// Hands out the strings of the JSON between `from` and `to`, except identifiers.
  ///
  /// @param identifiers the fields whose values are not handed out
  /// @throws tools.jackson.core.JacksonException if the bytes are not JSON
  static void each(
      byte[] bytes, int from, int to, IdentifierFields identifiers, Consumer<JsonLeaf> taker) {
    try (JsonParser json = StrictJson.parser(bytes, from, to)) {
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        boolean isName = token == JsonToken.PROPERTY_NAME;
        if (!isName && token != JsonToken.VALUE_STRING) {
          continue;
        }
        TokenStreamContext place = json.streamReadContext();
        String owner = isName ? null : json.currentName();
        if (owner != null && identifiers.contains(owner, place)) {
          continue;
        }
        int start = from + (int) json.currentTokenLocation().getByteOffset() + 1;
        taker.accept(
            new JsonLeaf(
                bytes,
                start,
                JsonEscapes.end(bytes, start),
                owner,
                isName,
                place.pathAsPointer().toString()));
      }
    }
  }

  /// The offset of the first byte behind the opening quote.
  int from() {
    return from;
  }

  /// The offset of the closing quote.
  int to() {
    return to;
  }

  /// The name of the field whose value this string is; null in an array, and for a name.
  @Nullable String owner() {
    return owner;
  }

  /// True if the string is the name of a field.
  boolean isName() {
    return isName;
  }

  /// The place of the string in its document (RFC 6901).
  String pointer() {
    return pointer;
  }

  /// The string without its escapes.
  String text() {
    return JsonEscapes.decode(bytes, from, to);
  }

  /// True if the string is a long run of base64, in which no text can be searched.
  boolean isBinary() {
    if (to - from < BINARY_MIN) {
      return false;
    }
    for (int i = from; i < to; i++) {
      byte b = bytes[i];
      boolean digit = (b >= '0' && b <= '9') || (b >= 'A' && b <= 'Z') || (b >= 'a' && b <= 'z');
      if (!digit && b != '+' && b != '/' && b != '=' && b != '-' && b != '_') {
        return false;
      }
    }
    return true;
  }
}
