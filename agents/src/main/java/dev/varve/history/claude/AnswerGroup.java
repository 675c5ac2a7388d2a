// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.claude;

import dev.varve.history.RecordValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The newest answer of the model with the results of its tools, as one line of turns.
///
/// An answer is one record for each of its blocks, and each tool's result names the block that
/// called the tool. In a plain tree the results of tools that ran at the same time would be
/// branches that nobody took, and all but the last would be lost to whoever walks from a leaf to
/// the root. In the line each record of the group follows the one before it.
final class AnswerGroup {

  /// The largest answer from which another reader goes on.
  private static final int MEMBERS_MAX = 64;

  private final Set<String> members = new HashSet<>();
  private String message = "";
  private String tip = "";

  /// The parent of a record: the group's last record where the record belongs to the group or goes
  /// on from it, else the one that the record names.
  ///
  /// @param parent the one that the record names
  String parent(RecordValue record, String type, String parent) {
    return members.contains(parent) && !isPrompt(record, type) ? tip : parent;
  }

  /// Takes a record that got its parent.
  void take(RecordValue record, String type, String id, String parent) {
    boolean answer = type.equals("assistant");
    String name = record.get("message").text("id");
    if (answer && !(name.equals(message) && parent.equals(tip))) {
      members.clear();
      message = name;
    } else if (!answer && !(parent.equals(tip) && !isPrompt(record, type))) {
      members.clear();
      message = "";
      return;
    }
    members.add(id);
    tip = id;
  }

  /// The state, from which [#resume] goes on; empty if it is large.
  Optional<List<String>> state() {
    if (members.size() > MEMBERS_MAX) {
      return Optional.empty();
    }
    List<String> state = new ArrayList<>(members);
    state.addFirst(tip);
    state.addFirst(message);
    return Optional.of(state);
  }

  /// Goes on from a state.
  void resume(List<String> state) {
    message = state.get(0);
    tip = state.get(1);
    members.addAll(state.subList(2, state.size()));
  }

  /// Says whether a record is a prompt. A prompt may begin a branch at any record.
  private static boolean isPrompt(RecordValue record, String type) {
    return type.equals("user")
        && record.get("message").get("content").items().stream()
            .noneMatch(block -> block.text("type").equals("tool_result"));
  }
}
