// SPDX-License-Identifier: Apache-2.0
package dev.varve.session;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What an entry is, by its type and, of a message, its role.
public enum Kind {
  USER("user"),
  ASSISTANT("assistant"),
  TOOL_RESULT("tool result"),
  SYSTEM("system"),
  BASH("shell"),
  OTHER_MESSAGE("message"),
  MODEL("model"),
  THINKING("thinking level"),
  COMPACTION("compaction"),
  BRANCH_SUMMARY("branch summary"),
  CUSTOM("custom"),
  CUSTOM_MESSAGE("custom message"),
  LABEL("label"),
  NAME("session name"),
  USAGE("usage"),
  CONTEXT_EDIT("context edit"),
  /// A type that this version does not know. It keeps its place.
  UNKNOWN("unknown");

  private static final Map<String, Kind> BY_TYPE =
      Map.ofEntries(
          Map.entry("model_change", MODEL),
          Map.entry("thinking_level_change", THINKING),
          Map.entry("compaction", COMPACTION),
          Map.entry("branch_summary", BRANCH_SUMMARY),
          Map.entry("custom", CUSTOM),
          Map.entry("custom_message", CUSTOM_MESSAGE),
          Map.entry("label", LABEL),
          Map.entry("session_info", NAME),
          Map.entry("usage", USAGE),
          Map.entry("context_edit", CONTEXT_EDIT));

  private static final Map<String, Kind> BY_ROLE =
      Map.of(
          "user", USER,
          "assistant", ASSISTANT,
          "toolResult", TOOL_RESULT,
          "system", SYSTEM,
          "bashExecution", BASH);

  private static final Kind[] ALL = values();

  private final String words;

  Kind(String words) {
    this.words = words;
  }

  static Kind of(String type, @Nullable String role) {
    return type.equals("message")
        ? BY_ROLE.getOrDefault(role == null ? "" : role, OTHER_MESSAGE)
        : BY_TYPE.getOrDefault(type, UNKNOWN);
  }

  static Kind at(int ordinal) {
    return ALL[ordinal];
  }

  /// What people call it.
  public String words() {
    return words;
  }

  public boolean isMessage() {
    return ordinal() <= OTHER_MESSAGE.ordinal();
  }
}
