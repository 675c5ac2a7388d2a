// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import dev.varve.pi.Json;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamContext;

/// A string in a line of JSON: a value, or a name of one.
final class Leaf {

  /// Fields of entries, messages and their blocks that name things. Programs look them up, and no
  /// rule is held against them.
  private static final Set<String> IDS =
      Set.of(
          "id",
          "parentId",
          "targetId",
          "fromId",
          "firstKeptEntryId",
          "toolCallId",
          "responseId",
          "timestamp",
          "type",
          "role");

  /// Longer strings without any space are no text: images, signatures.
  private static final int BINARY_MIN = 4096;

  private final byte[] bytes;
  private final int from;
  private final int to;
  private final @Nullable String owner;
  private final boolean isName;
  private final String pointer;

  private Leaf(
      byte[] bytes, int from, int to, @Nullable String owner, boolean isName, String pointer) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.owner = owner;
    this.isName = isName;
    this.pointer = pointer;
  }

  /// Hands out the strings of the JSON between `from` and `to` but those that are ids.
  ///
  /// @throws tools.jackson.core.JacksonException if it is no JSON
  static void each(byte[] bytes, int from, int to, Consumer<Leaf> taker) {
    try (JsonParser json = Json.parser(bytes, from, to)) {
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        boolean isName = token == JsonToken.PROPERTY_NAME;
        if (!isName && token != JsonToken.VALUE_STRING) {
          continue;
        }
        TokenStreamContext place = json.streamReadContext();
        String owner = isName ? null : json.currentName();
        if (owner != null && IDS.contains(owner) && isOfPi(place)) {
          continue;
        }
        int start = from + (int) json.currentTokenLocation().getByteOffset() + 1;
        taker.accept(
            new Leaf(
                bytes,
                start,
                JsonText.end(bytes, start),
                owner,
                isName,
                place.pathAsPointer().toString()));
      }
    }
  }

  /// Whether the object is an entry, its message, or a block of its content.
  private static boolean isOfPi(TokenStreamContext object) {
    TokenStreamContext at = object.getParent();
    while (at != null && !at.inRoot()) {
      String name = at.currentName();
      if (name != null && !name.equals("message") && !name.equals("content")) {
        return false;
      }
      at = at.getParent();
    }
    return true;
  }

  /// Behind its opening quote.
  int from() {
    return from;
  }

  /// Its closing quote.
  int to() {
    return to;
  }

  /// The name that stands before a value; null in an array, and for a name.
  @Nullable String owner() {
    return owner;
  }

  /// Whether it is a name itself.
  boolean isName() {
    return isName;
  }

  /// Where it is (RFC 6901).
  String pointer() {
    return pointer;
  }

  String text() {
    return JsonText.decode(bytes, from, to);
  }

  /// Whether it holds no text that could be looked through: a long run of base64.
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
