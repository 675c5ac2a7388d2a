// SPDX-License-Identifier: Apache-2.0
package dev.varve.doctor;

import dev.varve.pi.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// A value of an entry that is to be another one, and where it stands.
///
/// @param value as JSON
record Splice(int from, int to, String value) {

  /// Where `id` and `parentId` stand in the entry's outermost object; of a field that is there
  /// twice, all places.
  ///
  /// @param id null to leave it
  /// @param changesParent whether `parent` is to be written
  /// @return in the order of their places; empty if the bytes cannot be read
  static List<Splice> of(
      byte[] bytes,
      int from,
      int to,
      @Nullable String id,
      boolean changesParent,
      @Nullable String parent) {
    List<Splice> splices = new ArrayList<>();
    try (JsonParser json = Json.parser(bytes, from, to)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        json.nextToken();
        int start = from + (int) json.currentTokenLocation().getByteOffset();
        boolean own = name.equals("id") && id != null;
        boolean parents = name.equals("parentId") && changesParent;
        if (own || parents) {
          json.finishToken();
          json.skipChildren();
          int end = from + (int) json.currentLocation().getByteOffset();
          splices.add(new Splice(start, end, json(own ? id : parent)));
        } else {
          json.skipChildren();
        }
      }
    } catch (JacksonException e) {
      return new ArrayList<>();
    }
    return splices;
  }

  private static String json(@Nullable String value) {
    byte[] json =
        Json.write(
            out -> {
              if (value == null) {
                out.writeNull();
              } else {
                out.writeString(value);
              }
            });
    return new String(json, StandardCharsets.UTF_8);
  }
}
