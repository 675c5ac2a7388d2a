// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.opencode;

import java.util.Set;

/// The kinds of parts of messages.
final class PartKind {

  private static final Set<String> BOOKKEEPING =
      Set.of("step-start", "step-finish", "snapshot", "patch");
  private static final Set<String> TURNS =
      Set.of("reasoning", "tool", "file", "subtask", "compaction", "agent", "retry");

  private PartKind() {}

  /// The kind of a part's turn: the role for a text; empty if the part is of no known type.
  ///
  /// @param role of the message
  static String of(String type, String role) {
    if (type.equals("text")) {
      return role.equals("user") ? "user" : "assistant";
    }
    return TURNS.contains(type) || BOOKKEEPING.contains(type) ? type : "";
  }

  /// Says whether parts of a kind are no turns.
  static boolean isBookkeeping(String kind) {
    return BOOKKEEPING.contains(kind);
  }
}
