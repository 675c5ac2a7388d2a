// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.imports.StrictJson;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// The usage that one response of a model reported, in tokens.
///
/// @param key identifies the response in every copy of its record: a response is counted once a
///   key, over all files of an agent
/// @param input all tokens of the request, those from a cache included
/// @param cached the tokens of the request that came from a cache
/// @param output all tokens of the answer
public record UsageEvidence(String key, long input, long cached, long output) {

  /// Puts a list into a store.
  ///
  /// @return null for an empty list
  static @Nullable BlobHash put(Store store, List<UsageEvidence> usage) throws IOException {
    if (usage.isEmpty()) {
      return null;
    }
    byte[] bytes =
        StrictJson.write(
            json -> {
              json.writeStartArray();
              for (UsageEvidence each : usage) {
                json.writeStartObject();
                json.writeStringProperty("key", each.key());
                json.writeNumberProperty("input", each.input());
                json.writeNumberProperty("cached", each.cached());
                json.writeNumberProperty("output", each.output());
                json.writeEndObject();
              }
              json.writeEndArray();
            });
    return store.put(new ByteArrayInputStream(bytes), null);
  }

  /// Reads what [#put] wrote.
  ///
  /// @throws StoreException.Corrupt if it is something else
  static List<UsageEvidence> get(Store store, @Nullable BlobHash blob) throws IOException {
    List<UsageEvidence> usage = new ArrayList<>();
    if (blob == null) {
      return usage;
    }
    byte[] bytes;
    try (InputStream in = store.read(blob)) {
      bytes = in.readAllBytes();
    }
    try (JsonParser json = StrictJson.flatParser(bytes)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.START_OBJECT) {
        usage.add(read(json));
      }
      return usage;
    } catch (JacksonException e) {
      throw new StoreException.Corrupt("usage " + blob, 0, "usage of responses", e.toString());
    }
  }

  private static UsageEvidence read(JsonParser json) {
    String key = "";
    long input = 0;
    long cached = 0;
    long output = 0;
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String member = json.currentName();
      json.nextToken();
      switch (member) {
        case "key" -> key = json.getString();
        case "input" -> input = json.getLongValue();
        case "cached" -> cached = json.getLongValue();
        case "output" -> output = json.getLongValue();
        default -> json.skipChildren();
      }
    }
    return new UsageEvidence(key, input, cached, output);
  }
}
