// SPDX-License-Identifier: Apache-2.0
package dev.varve.cli.store;

import dev.varve.DeclaredType;
import dev.varve.Turn;
import dev.varve.json.JsonLine;

/// A turn's header as JSON, the same for each command.
final class TurnJson {

  private TurnJson() {}

  /// For people; a dash where nothing was declared.
  static String typeName(DeclaredType type) {
    return type.equals(DeclaredType.UNDECLARED) ? "-" : type.toString();
  }

  static JsonLine of(Turn turn) {
    return new JsonLine()
        .id("turn_id", turn.id())
        .id("parent_turn_id", turn.parent())
        .number("depth", turn.depth())
        .id("context_id", turn.context())
        .text("type_id", turn.type().id())
        .number("type_version", Integer.toUnsignedLong(turn.type().version()))
        .text("encoding", turn.encoding().toString())
        .hash("payload_hash", turn.payloadHash())
        .number("payload_size_bytes", turn.payloadSizeBytes())
        .time("created_at", turn.createdAt())
        .hash("fs_root", turn.fsRoot())
        .bool("deleted", turn.tombstone())
        .number("overlay_seq", turn.overlaySeq());
  }
}
