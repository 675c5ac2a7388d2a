// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.terminal;

import dev.varve.Payload;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// A payload in one line. Only the beginning of the payload is looked at. The store does not know
/// what payloads mean, and neither does this class; it knows in which fields chat messages usually
/// keep their words.
public final class PayloadPreview {

  private static final JsonFactory JSON = new JsonFactory();
  private static final int LOOK_BYTES = 16 << 10;
  private static final int LOOK_TOKENS = 4_000;

  /// Where the words of a message usually stand, in all the formats seen.
  private static final Set<String> WORDS =
      Set.of("text", "content", "message", "summary", "title", "thinking", "prompt", "output");

  /// Where the arguments of a tool call usually stand.
  private static final Set<String> ARGUMENTS =
      Set.of("arguments", "input", "args", "parameters", "command");

  private PayloadPreview() {}

  /// `role: first line` of a message in JSON, `role: tool argument` of a message that only calls
  /// tools, the type and the beginning of other JSON, the first line of other text, else
  /// `(binary)`.
  public static String of(Payload payload) {
    if (payload.sizeBytes() == 0) {
      return "(empty)";
    }
    Optional<String> text = findText(payload, LOOK_BYTES);
    if (text.isEmpty()) {
      return "(binary)";
    }
    String shown = text.get().strip();
    if (shown.startsWith("{") || shown.startsWith("[")) {
      // all of it: the words may stand behind something long
      return firstLine(words(payload, shown.replaceAll("\\s+", " ")));
    }
    return firstLine(shown);
  }

  /// The payload as text, all of it, if it is UTF-8.
  public static Optional<String> findText(Payload payload) {
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

  private static String words(Payload json, String beginning) {
    Map<String, String> found = new HashMap<>();
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json.unsafeArray())) {
      int depth = 0;
      int argumentsDepth = 0; // of the object with the arguments of a call; 0 outside of one
      for (int i = 0;
          i < LOOK_TOKENS && !(found.containsKey("role") && found.containsKey("words"));
          i++) {
        JsonToken token = parser.nextToken();
        if (token == null) {
          break;
        }
        String name = parser.currentName();
        if (token.isStructStart()) {
          depth++;
          if (argumentsDepth == 0 && name != null && ARGUMENTS.contains(name)) {
            argumentsDepth = depth;
          }
        } else if (token.isStructEnd()) {
          argumentsDepth = depth == argumentsDepth ? 0 : argumentsDepth;
          depth--;
        } else if (token == JsonToken.VALUE_STRING && name != null) {
          take(name, argumentsDepth > 0, parser.getString(), found);
        }
      }
    } catch (JacksonException e) {
      // Not JSON after all: the words that were found until then count.
    }
    String role = found.containsKey("role") ? found.get("role") + ": " : "";
    if (found.containsKey("words")) {
      return role + found.get("words");
    }
    if (found.containsKey("name") && found.containsKey("argument")) {
      return role + found.get("name") + " " + found.get("argument");
    }
    return found.containsKey("type") ? found.get("type") + " " + beginning : beginning;
  }

  /// Takes a string. What stands behind a call is its result, and not the words of the message.
  ///
  /// @param argument whether the string is an argument of a call
  private static void take(String name, boolean argument, String value, Map<String, String> found) {
    if (value.isBlank()) {
      return;
    }
    if (argument || ARGUMENTS.contains(name)) {
      found.putIfAbsent("argument", value.strip());
    } else if (WORDS.contains(name)) {
      if (!found.containsKey("name") || !found.containsKey("argument")) {
        found.putIfAbsent("words", value.strip());
      }
    } else if (name.equals("role") || name.equals("type") || name.equals("name")) {
      found.putIfAbsent(name, value);
    }
  }

  private static String firstLine(String text) {
    int end = 0;
    int last = Math.min(text.length(), LOOK_BYTES);
    while (end < last && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
      end++;
    }
    if (end > 0 && Character.isHighSurrogate(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(0, end) + (end < text.length() ? " …" : "");
  }
}
