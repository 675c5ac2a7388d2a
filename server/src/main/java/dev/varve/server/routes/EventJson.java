// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.routes;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Turn;
import dev.varve.server.events.ClientSession;
import dev.varve.server.events.ServerEvent;
import dev.varve.server.http.JsonTrees;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Events under cxdb's names and in cxdb's form; all ids are strings.
final class EventJson {

  private EventJson() {}

  static String name(ServerEvent event) {
    return switch (event) {
      case ServerEvent.ClientConnected _ -> "client_connected";
      case ServerEvent.ClientDisconnected _ -> "client_disconnected";
      case ServerEvent.ContextCreated _ -> "context_created";
      case ServerEvent.TurnAppended _ -> "turn_appended";
      case ServerEvent.ContextMetadataUpdated _ -> "context_metadata_updated";
      case ServerEvent.ContextLinked _ -> "context_linked";
      case ServerEvent.TurnOverlaid _ -> "turn_overlaid";
      case ServerEvent.BlobsErased _ -> "blobs_erased";
      case ServerEvent.ErrorOccurred _ -> "error_occurred";
    };
  }

  /// The context of an event; empty for an event that concerns no context.
  static Optional<ContextId> context(ServerEvent event) {
    return switch (event) {
      case ServerEvent.ContextCreated e -> Optional.of(e.context().id());
      case ServerEvent.TurnAppended e -> Optional.of(e.turn().context());
      case ServerEvent.ContextMetadataUpdated e -> Optional.of(e.context());
      case ServerEvent.ContextLinked e -> Optional.of(e.child());
      case ServerEvent.ClientConnected _,
          ServerEvent.ClientDisconnected _,
          ServerEvent.TurnOverlaid _,
          ServerEvent.BlobsErased _,
          ServerEvent.ErrorOccurred _ ->
          Optional.empty();
    };
  }

  static ObjectNode data(ServerEvent event) {
    ObjectNode data = JsonTrees.object();
    switch (event) {
      case ServerEvent.ClientConnected(ClientSession session) -> put(data, session);
      case ServerEvent.ClientDisconnected e -> {
        put(data, e.session());
        ArrayNode contexts = data.putArray("contexts");
        e.contexts().forEach(context -> contexts.add(context.toString()));
      }
      case ServerEvent.ContextCreated(ContextHead context, ClientSession session) -> {
        data.put("context_id", context.id().toString());
        put(data, session);
        data.put("created_at", context.createdAt().toEpochMilli());
      }
      case ServerEvent.TurnAppended e -> put(data, e.turn());
      case ServerEvent.ContextMetadataUpdated e -> {
        data.put("context_id", e.context().toString());
        data.put("has_provenance", e.hasProvenance());
        putPresent(data, "client_tag", e.clientTag());
        putPresent(data, "title", e.title());
        if (!e.labels().isEmpty()) {
          ArrayNode labels = data.putArray("labels");
          e.labels().forEach(labels::add);
        }
      }
      case ServerEvent.ContextLinked e -> {
        data.put("child_context_id", e.child().toString());
        data.put("parent_context_id", e.parent().toString());
        putPresent(data, "root_context_id", e.root() == null ? null : e.root().toString());
        putPresent(data, "spawn_reason", e.spawnReason());
      }
      case ServerEvent.TurnOverlaid e ->
          data.put("turn_id", e.turn().toString()).put("seq", Long.toString(e.seq()));
      case ServerEvent.BlobsErased e -> data.put("run", e.run());
      case ServerEvent.ErrorOccurred e -> {
        data.put("timestamp_ms", e.at().toEpochMilli()).put("kind", e.port());
        data.put("status_code", e.code()).put("message", e.message());
        putPresent(data, "path", e.path());
      }
    }
    return data;
  }

  private static void put(ObjectNode data, Turn turn) {
    data.put("context_id", turn.context().toString());
    data.put("turn_id", turn.id().toString());
    data.put("parent_turn_id", turn.parent().toString());
    data.put("depth", turn.depth());
    data.put("declared_type_id", turn.type().id());
    data.put("declared_type_version", Integer.toUnsignedLong(turn.type().version()));
  }

  /// Writes the session. A context that was created over HTTP has no session and gets cxdb's words
  /// for that case.
  private static void put(ObjectNode data, @Nullable ClientSession session) {
    data.put("session_id", session == null ? "http" : Long.toString(session.id()));
    data.put("client_tag", session == null ? "http" : session.clientTag());
  }

  private static void putPresent(ObjectNode data, String name, @Nullable String value) {
    if (value != null) {
      data.put(name, value);
    }
  }
}
