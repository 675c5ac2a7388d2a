// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.surveys;

import java.util.List;
import tools.jackson.core.JsonGenerator;

/// The space that the contents of turns take, by agent, by project and by kind. Sizes are
/// uncompressed.
///
/// @param all the sum
/// @param agents the shares of the agents, the largest first
/// @param projects the shares of the projects
/// @param kinds the shares of the types of payloads, of attached files and of descriptions
/// @param isExact whether every content was counted as kept once only; otherwise the memory for
///   that ended, and `keptBytes` are too many
/// @param unreadable the number of contents that could not be read
record SpaceShares(
    Share all,
    List<Share> agents,
    List<Share> projects,
    List<Share> kinds,
    boolean isExact,
    long unreadable) {

  SpaceShares {
    agents = List.copyOf(agents);
    projects = List.copyOf(projects);
    kinds = List.copyOf(kinds);
  }

  /// A share of the space.
  ///
  /// @param name empty for what has none, and for the sum
  /// @param contexts the number of contexts; 0 among kinds
  /// @param contentBytes the size of the contents, each as often as a turn has it
  /// @param keptBytes the size of the contents, each once: it counts for the first that has it
  record Share(String name, long contexts, long turns, long contentBytes, long keptBytes) {}

  void write(JsonGenerator json) {
    json.writeName("all");
    write(all, json);
    write("agents", agents, json);
    write("projects", projects, json);
    write("kinds", kinds, json);
    json.writeBooleanProperty("exact", isExact);
    json.writeNumberProperty("unreadable", unreadable);
  }

  private static void write(String name, List<Share> shares, JsonGenerator json) {
    json.writeArrayPropertyStart(name);
    shares.forEach(share -> write(share, json));
    json.writeEndArray();
  }

  private static void write(Share share, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("name", share.name());
    json.writeNumberProperty("contexts", share.contexts());
    json.writeNumberProperty("turns", share.turns());
    json.writeNumberProperty("content_bytes", share.contentBytes());
    json.writeNumberProperty("kept_bytes", share.keptBytes());
    json.writeEndObject();
  }
}
