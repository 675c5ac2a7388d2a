// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.session;

import dev.varve.imports.StrictJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// The title of a session: the name that it was given last, else the first words of its user.
public final class SessionTitle {

  private static final int CODE_POINTS_MAX = 80;

  private @Nullable String given;
  private @Nullable String said;

  /// Takes the next entry of the file.
  public void take(SessionRecord.Entry entry, byte[] bytes, int from, int to) {
    if (entry.name() != null) {
      given = brief(entry.name());
    } else if (said == null && entry.type().equals("message")) {
      said = userText(bytes, from, to);
    }
  }

  /// One line, at most 80 characters; empty if nothing was found.
  public String text() {
    if (given != null && !given.isEmpty()) {
      return given;
    }
    return said == null ? "" : said;
  }

  /// `text` on one line and short.
  public static String brief(String text) {
    StringBuilder line = new StringBuilder();
    int count = 0;
    boolean gap = false;
    for (int i = 0; i < text.length() && count < CODE_POINTS_MAX; ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      if (Character.isWhitespace(c)
          || Character.isISOControl(c)
          || c == '\u2028'
          || c == '\u2029') {
        gap = !line.isEmpty();
      } else {
        if (gap) {
          line.append(' ');
          count++;
          gap = false;
        }
        boolean lone = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
        line.appendCodePoint(lone ? 0xFFFD : c);
        count++;
      }
    }
    return line.toString();
  }

  private static @Nullable String userText(byte[] bytes, int from, int to) {
    try (JsonParser json = StrictJson.parser(bytes, from, to)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        boolean message = json.currentName().equals("message");
        if (json.nextToken() == JsonToken.START_OBJECT && message) {
          return messageText(json);
        }
        json.skipChildren();
      }
    } catch (JacksonException e) {
      // too long a text to be read, or bytes that are no text: the session does without
    }
    return null;
  }

  private static @Nullable String messageText(JsonParser json) {
    boolean user = false;
    String text = null;
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String field = json.currentName();
      JsonToken value = json.nextToken();
      if (field.equals("role") && value == JsonToken.VALUE_STRING) {
        user = json.getString().equals("user");
        if (!user) {
          return null;
        }
      } else if (field.equals("content") && text == null) {
        text = contentText(json, value);
      } else {
        json.skipChildren();
      }
    }
    return user && text != null && !brief(text).isEmpty() ? brief(text) : null;
  }

  private static @Nullable String contentText(JsonParser json, JsonToken value) {
    if (value == JsonToken.VALUE_STRING) {
      return json.getString();
    }
    String text = null;
    if (value == JsonToken.START_ARRAY) {
      for (JsonToken block = json.nextToken();
          block != JsonToken.END_ARRAY;
          block = json.nextToken()) {
        if (block == JsonToken.START_OBJECT) {
          while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            boolean isText = json.currentName().equals("text") && text == null;
            if (json.nextToken() == JsonToken.VALUE_STRING && isText) {
              text = json.getString();
            } else {
              json.skipChildren();
            }
          }
        } else {
          json.skipChildren();
        }
      }
    } else {
      json.skipChildren();
    }
    return text;
  }
}
