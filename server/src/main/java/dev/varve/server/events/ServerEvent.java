// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.events;

import dev.varve.ContextHead;
import dev.varve.ContextId;
import dev.varve.Overlay;
import dev.varve.Turn;
import dev.varve.TurnId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Something that has happened to a store, or to a client of it.
public sealed interface ServerEvent {

  /// A client introduced itself on the binary port, or made a context without doing so.
  record ClientConnected(Session session) implements ServerEvent {}

  /// A session is over, however it ended.
  ///
  /// @param contexts those that were live through it, in the order in which they became so
  record ClientDisconnected(Session session, List<ContextId> contexts) implements ServerEvent {
    public ClientDisconnected {
      contexts = List.copyOf(contexts);
    }
  }

  /// A context was made, empty or as a fork of `context.base()`.
  ///
  /// @param session through which, null if through none
  record ContextCreated(ContextHead context, @Nullable Session session) implements ServerEvent {}

  /// A turn was appended. Not told of a retry that was answered with a turn that was there already.
  ///
  /// @param turn without its payload
  /// @param session through which, null if through none
  record TurnAppended(Turn turn, @Nullable Session session) implements ServerEvent {}

  /// What is known of a context has changed: its first turn, or its own description, said
  /// something.
  ///
  /// @param title null if it has none; so is `clientTag`
  record ContextMetadataUpdated(
      ContextId context,
      boolean hasProvenance,
      @Nullable String clientTag,
      @Nullable String title,
      List<String> labels)
      implements ServerEvent {
    public ContextMetadataUpdated {
      labels = List.copyOf(labels);
    }
  }

  /// A context said which other one it comes from.
  record ContextLinked(
      ContextId child, ContextId parent, @Nullable ContextId root, @Nullable String spawnReason)
      implements ServerEvent {}

  /// A turn was given another payload, marked as deleted, or given a file tree.
  record TurnOverlaid(TurnId turn, long seq, Overlay.Kind kind) implements ServerEvent {}

  /// A request failed for a reason that lies with the server, not with the client.
  ///
  /// @param port `binary` or `http`
  /// @param code as the client was told: 500, 503, 507
  /// @param path what was asked for, null if that is not known
  record ErrorOccurred(Instant at, String port, int code, String message, @Nullable String path)
      implements ServerEvent {}
}
