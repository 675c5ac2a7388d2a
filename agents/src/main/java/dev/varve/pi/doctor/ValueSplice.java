// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

import dev.varve.imports.StrictJson;
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
record ValueSplice(int from, int to, String value) {

  /// The places of `id` and `parentId` in the entry's outermost object; of a field that is there
  /// twice, all places. An `id` that is missing is put first.
  ///
  /// @param id null to leave it
  /// @param changesParent whether `parent` is to be written
  /// @return in the order of their places; empty if the bytes cannot be read
  static List<ValueSplice> of(
      byte[] bytes,
      int from,
      int to,
      @Nullable String id,
      boolean changesParent,
      @Nullable String parent) {
    List<ValueSplice> splices = new ArrayList<>();
    try (JsonParser json = StrictJson.parser(bytes, from, to)) {
      json.nextToken();
      int inside = from + (int) json.currentTokenLocation().getByteOffset() + 1;
      boolean found = false;
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        json.nextToken();
        int start = from + (int) json.currentTokenLocation().getByteOffset();
        boolean own = name.equals("id") && id != null;
        boolean parents = name.equals("parentId") && changesParent;
        found |= own;
        if (own || parents) {
          json.finishToken();
          json.skipChildren();
          int end = from + (int) json.currentLocation().getByteOffset();
          splices.add(new ValueSplice(start, end, json(own ? id : parent)));
        } else {
          json.skipChildren();
        }
      }
      if (id != null && !found) {
        splices.addFirst(new ValueSplice(inside, inside, "\"id\":" + json(id) + ","));
      }
    } catch (JacksonException e) {
      return new ArrayList<>();
    }
    return splices;
  }

  private static String json(@Nullable String value) {
    byte[] json =
        StrictJson.write(
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
