// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.rows;

import dev.varve.Payload;
import dev.varve.imports.StrictJson;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;

/// The payload of a turn that is a row: the role and the content, without the ids of the row.
public final class RowPayload {

  private RowPayload() {}

  /// A payload with the role, and the content as the row spells it.
  ///
  /// @param member the name that the agent gives to the content
  /// @param content a JSON value; anything else becomes a text
  public static Payload of(String role, String member, String content) {
    if (!isOneValue(content.getBytes(StandardCharsets.UTF_8))) {
      return Payload.wrap(write(role, member, content));
    }
    String head = new String(write(role, member, ""), StandardCharsets.UTF_8);
    String spliced = head.substring(0, head.length() - "\"\"}".length()) + content + "}";
    return Payload.wrap(spliced.getBytes(StandardCharsets.UTF_8));
  }

  private static boolean isOneValue(byte[] content) {
    try (JsonParser json = StrictJson.parser(content, 0, content.length)) {
      if (json.nextToken() == null) {
        return false;
      }
      json.skipChildren();
      return json.nextToken() == null;
    } catch (JacksonException e) {
      return false;
    }
  }

  private static byte[] write(String role, String member, String content) {
    return StrictJson.write(
        json -> {
          json.writeStartObject();
          json.writeStringProperty("role", role);
          json.writeStringProperty(member, content);
          json.writeEndObject();
        });
  }
}
