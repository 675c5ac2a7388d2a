// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.contexts;

import dev.varve.BlobHash;
import dev.varve.ContextId;
import dev.varve.TurnId;
import dev.varve.server.value.IdFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// Something on the way between two knots of a tree that a reader looks for.
///
/// @param files the root of the file tree that is attached to the turn; null but for a snapshot
/// @param context the context of the sub-agent; null but for a sub-agent
/// @param label the title of the sub-agent's context, or why it was begun; empty if none is known
record LineMark(
    Kind kind,
    TurnId turn,
    int depth,
    @Nullable BlobHash files,
    @Nullable ContextId context,
    String label) {

  /// The kind of a mark.
  enum Kind {
    /// The agent replaced what was said so far by a summary.
    COMPACTION,
    /// Other files are attached to the turn than to the turns before.
    SNAPSHOT,
    /// Another conversation was begun from here.
    SUB_AGENT;

    String written() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static LineMark compaction(TurnId turn, int depth) {
    return new LineMark(Kind.COMPACTION, turn, depth, null, null, "");
  }

  static LineMark snapshot(TurnId turn, int depth, BlobHash files) {
    return new LineMark(Kind.SNAPSHOT, turn, depth, files, null, "");
  }

  static LineMark subAgent(TurnId turn, int depth, ContextId context, String label) {
    return new LineMark(Kind.SUB_AGENT, turn, depth, null, context, label);
  }

  void write(IdFormat ids, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("kind", kind.written());
    ids.property(json, "turn_id", turn);
    json.writeNumberProperty("depth", depth);
    if (files != null) {
      json.writeStringProperty("fs_root_hash", files.toString());
    }
    if (context != null) {
      ids.property(json, "context_id", context);
      json.writeStringProperty("label", label);
    }
    json.writeEndObject();
  }
}
