// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli;

import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// What a payload says, in one line. A look at its beginning, not a reading: the store does not
/// know what payloads mean, and neither does this; it knows where chat messages usually keep their
/// words.
final class Preview {

  private static final JsonFactory JSON = new JsonFactory();
  private static final int LOOK_BYTES = 16 << 10;
  private static final int LOOK_TOKENS = 400;

  /// Where the words of a message usually stand, in all the formats seen.
  private static final Set<String> WORDS =
      Set.of("text", "content", "message", "summary", "title", "thinking", "prompt", "output");

  private Preview() {}

  /// What a turn seems to say. Loads its payload: one that is damaged must not hide the turns
  /// around it.
  static String of(Turn turn, Store store) {
    if (turn.tombstone()) {
      return "(deleted)";
    }
    try {
      return of(store.get(turn.payloadHash()));
    } catch (StoreException.Corrupt | StoreException.NotFound e) {
      return "(damaged)";
    }
  }

  /// `role: first line` of a message in JSON, the first line of other text, else `(binary)`.
  static String of(Payload payload) {
    if (payload.sizeBytes() == 0) {
      return "(empty)";
    }
    Optional<String> text = findText(payload, LOOK_BYTES);
    if (text.isEmpty()) {
      return "(binary)";
    }
    String shown = text.get().strip();
    if (shown.startsWith("{") || shown.startsWith("[")) {
      String words = findWords(shown);
      return firstLine(words != null ? words : shown.replaceAll("\\s+", " "));
    }
    return firstLine(shown);
  }

  /// The payload as text, all of it, if it is UTF-8.
  static Optional<String> findText(Payload payload) {
    return findText(payload, payload.sizeBytes());
  }

  private static Optional<String> findText(Payload payload, int lookBytes) {
    boolean whole = payload.sizeBytes() <= lookBytes;
    ByteBuffer bytes = payload.buffer().limit(Math.min(payload.sizeBytes(), lookBytes));
    CharsetDecoder utf8 =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    CharBuffer text = CharBuffer.allocate(bytes.remaining());
    CoderResult result = utf8.decode(bytes, text, whole);
    if (result.isError()) {
      return Optional.empty();
    }
    String decoded = text.flip().toString();
    return decoded.indexOf('\0') >= 0 ? Optional.empty() : Optional.of(decoded);
  }

  private static @Nullable String findWords(String json) {
    String role = null;
    String words = null;
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
      for (int i = 0; i < LOOK_TOKENS && (role == null || words == null); i++) {
        JsonToken token = parser.nextToken();
        if (token == null) {
          break;
        }
        String name = parser.currentName();
        if (token != JsonToken.VALUE_STRING || name == null) {
          continue;
        }
        if (role == null && name.equals("role")) {
          role = parser.getString();
        } else if (words == null && WORDS.contains(name) && !parser.getString().isBlank()) {
          words = parser.getString();
        }
      }
    } catch (JacksonException e) {
      // Not JSON after all, or cut off where the look ended: what was found until then counts.
    }
    if (words == null) {
      return null;
    }
    return role == null ? words.strip() : role + ": " + words.strip();
  }

  private static String firstLine(String text) {
    int end = 0;
    while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
      end++;
    }
    return text.substring(0, end) + (end < text.length() ? " …" : "");
  }
}
