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

/// An event of a store or of one of its clients.
public sealed interface ServerEvent {

  /// A client introduced itself on the binary port, or created a context without an introduction.
  record ClientConnected(ClientSession session) implements ServerEvent {}

  /// A session has ended, for any reason.
  ///
  /// @param contexts the contexts that were live through the session, in the order in which they
  ///   became live
  record ClientDisconnected(ClientSession session, List<ContextId> contexts)
      implements ServerEvent {
    public ClientDisconnected {
      contexts = List.copyOf(contexts);
    }
  }

  /// A context was created, empty or as a fork of `context.base()`.
  ///
  /// @param session that created the context, null for none
  record ContextCreated(ContextHead context, @Nullable ClientSession session)
      implements ServerEvent {}

  /// A turn was appended. Not published for a retry that was answered with an existing turn.
  ///
  /// @param turn without its payload
  /// @param session that appended the turn, null for none
  record TurnAppended(Turn turn, @Nullable ClientSession session) implements ServerEvent {}

  /// The metadata of a context has changed: its first turn or its description declared something.
  ///
  /// @param title null if there is none, as is `clientTag`
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

    /// The event before anybody has read the metadata, for the listener that reads it.
    public static ContextMetadataUpdated unread(ContextId context) {
      return new ContextMetadataUpdated(context, false, null, null, List.of());
    }
  }

  /// A context declared the context it comes from.
  record ContextLinked(
      ContextId child, ContextId parent, @Nullable ContextId root, @Nullable String spawnReason)
      implements ServerEvent {}

  /// A turn got another payload, a tombstone or a file tree.
  record TurnOverlaid(TurnId turn, long seq, Overlay.Kind kind) implements ServerEvent {}

  /// Content was erased for good, or the space of hidden payloads was freed. What was derived from
  /// content is to be made again.
  ///
  /// @param run number of the erasure in its store
  record BlobsErased(int run) implements ServerEvent {}

  /// A request failed because of the server and not because of its client.
  ///
  /// @param port `binary` or `http`
  /// @param code that the client received: 500, 503, 507
  /// @param path of the request, null if unknown
  record ErrorOccurred(Instant at, String port, int code, String message, @Nullable String path)
      implements ServerEvent {}
}
