// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One turn as a reader sees it (spec 001, *Turn*).
///
/// `id`, `parent`, `depth`, `context`, `type`, `encoding` and `createdAt` never change.
/// `payloadHash`, `payloadSizeBytes`, `fsRoot`, `tombstone` and `overlaySeq` are what the reader's
/// [View] made of the overlays.
///
/// @param parent [TurnId#NONE] for a root
/// @param depth the parent's depth plus one; 0 for a root
/// @param context the context through which it was appended
/// @param payloadSizeBytes size of the payload, uncompressed
/// @param declaredCompression what the writer declared of the bytes it sent
/// @param fsRoot root of the file tree attached to this very turn, null if none
/// @param tombstone whether an overlay marks it as deleted, or its payload was erased; the payload
///   is then not served
/// @param overlaySeq sequence of the overlay that was applied last, 0 if none
/// @param payload the bytes, present when the view asked for them and the turn is no tombstone
public record Turn(
    TurnId id,
    TurnId parent,
    int depth,
    ContextId context,
    DeclaredType type,
    Encoding encoding,
    int declaredCompression,
    BlobHash payloadHash,
    long payloadSizeBytes,
    Instant createdAt,
    @Nullable BlobHash fsRoot,
    boolean tombstone,
    long overlaySeq,
    @Nullable Payload payload) {

  /// The same turn with other bytes, or without bytes.
  public Turn withPayload(@Nullable Payload other) {
    return new Turn(
        id,
        parent,
        depth,
        context,
        type,
        encoding,
        declaredCompression,
        payloadHash,
        payloadSizeBytes,
        createdAt,
        fsRoot,
        tombstone,
        overlaySeq,
        other);
  }
}
