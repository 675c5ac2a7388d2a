// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.server.events.ClientSession;
import dev.varve.server.value.IdFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// Writes a context as an entry of a list.
///
/// `created_at_unix_ms` is the time of the context's last activity: cxdb's clients know that time
/// by this name, and sort by it. `context_created_at_unix_ms` is the time of creation.
///
/// @param children for writing lineage; null to write none
record EntryWriter(
    ContextIndex index,
    LiveSessions sessions,
    IdFormat ids,
    boolean withProvenance,
    @Nullable ContextLineage children) {

  /// The most children that an entry names; it counts all.
  private static final int CHILDREN_MAX = 1_000;

  void write(ContextHead head, JsonGenerator json) {
    ContextEntry entry = index.entry(head);
    ContextMetadata metadata = entry.metadata();
    Optional<ClientSession> session = sessions.of(head.id());
    json.writeStartObject();
    ids.property(json, "context_id", head.id());
    ids.property(json, "head_turn_id", head.head());
    json.writeNumberProperty("head_depth", head.headDepth());
    json.writeNumberProperty("created_at_unix_ms", head.activeAt().toEpochMilli());
    json.writeNumberProperty("context_created_at_unix_ms", head.createdAt().toEpochMilli());
    if (!head.base().isNone()) {
      ids.property(json, "base_turn_id", head.base());
    }
    json.writeBooleanProperty("is_live", session.isPresent());
    text(json, "client_tag", clientTag(entry, session));
    session.ifPresent(
        live -> {
          ids.property(json, "session_id", live.id());
          json.writeNumberProperty("last_activity_at", live.lastActivityAt().toEpochMilli());
        });
    text(json, "title", entry.shownTitle());
    text(json, "agent", entry.described().agent());
    text(json, "project", entry.described().project());
    text(json, "folder", entry.described().folder());
    index
        .lastTurnAt(head)
        .ifPresent(at -> json.writeNumberProperty("last_turn_at_unix_ms", at.toEpochMilli()));
    if (!metadata.labels().isEmpty()) {
      json.writeArrayPropertyStart("labels");
      metadata.labels().forEach(json::writeString);
      json.writeEndArray();
    }
    if (withProvenance && metadata.provenance() != null) {
      json.writeName("provenance");
      metadata
          .provenance()
          .withClientAddress(session.map(ClientSession::peerAddress).orElse(null))
          .write(json);
    }
    if (children != null) {
      json.writeName("lineage");
      lineage(head.id(), entry, children, json);
    }
    json.writeEndObject();
  }

  private static @Nullable String clientTag(ContextEntry entry, Optional<ClientSession> session) {
    return entry.shownTag() != null
        ? entry.shownTag()
        : session.map(ClientSession::clientTag).filter(tag -> !tag.isEmpty()).orElse(null);
  }

  private void lineage(ContextId id, ContextEntry entry, ContextLineage all, JsonGenerator json) {
    ContextLineage.Children itsChildren = all.of(id.value(), CHILDREN_MAX);
    boolean isRoot = entry.metadata().root() == null && entry.parent() == null;
    json.writeStartObject();
    idOrNull(json, "parent_context_id", entry.parent());
    idOrNull(json, "root_context_id", isRoot ? Long.valueOf(id.value()) : entry.metadata().root());
    json.writeStringProperty("spawn_reason", spawnReason(entry));
    json.writeNumberProperty("child_context_count", itsChildren.count());
    json.writeArrayPropertyStart("child_context_ids");
    for (long child : itsChildren.ids()) {
      ids.write(json, child);
    }
    json.writeEndArray();
    if (!itsChildren.isComplete()) {
      json.writeBooleanProperty("children_incomplete", true);
    }
    json.writeEndObject();
  }

  private static @Nullable String spawnReason(ContextEntry entry) {
    String said = entry.metadata().spawnReason();
    return said == null && entry.parentByFork() != null ? "fork" : said;
  }

  private void idOrNull(JsonGenerator json, String name, @Nullable Long id) {
    if (id == null) {
      json.writeNullProperty(name);
    } else {
      ids.property(json, name, id);
    }
  }

  private static void text(JsonGenerator json, String name, @Nullable String text) {
    if (text != null) {
      json.writeStringProperty(name, text);
    }
  }
}
