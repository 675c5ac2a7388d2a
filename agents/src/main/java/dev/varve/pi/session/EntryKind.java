// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.session;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The kind of an entry, by its type and, for a message, its role.
public enum EntryKind {
  USER(0, "user"),
  ASSISTANT(1, "assistant"),
  TOOL_RESULT(2, "tool result"),
  SYSTEM(3, "system"),
  BASH(4, "shell"),
  OTHER_MESSAGE(5, "message"),
  MODEL(6, "model"),
  THINKING(7, "thinking level"),
  COMPACTION(8, "compaction"),
  BRANCH_SUMMARY(9, "branch summary"),
  CUSTOM(10, "custom"),
  CUSTOM_MESSAGE(11, "custom message"),
  LABEL(12, "label"),
  NAME(13, "session name"),
  USAGE(14, "usage"),
  CONTEXT_EDIT(15, "context edit"),
  /// A type that this version does not know. It keeps its place.
  UNKNOWN(16, "unknown");

  private static final Map<String, EntryKind> BY_TYPE =
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

  private static final Map<String, EntryKind> BY_ROLE =
      Map.of(
          "user", USER,
          "assistant", ASSISTANT,
          "toolResult", TOOL_RESULT,
          "system", SYSTEM,
          "bashExecution", BASH);

  private static final Map<Integer, EntryKind> BY_CODE =
      Arrays.stream(values()).collect(Collectors.toMap(EntryKind::code, Function.identity()));

  private final int code;
  private final String words;

  EntryKind(int code, String words) {
    this.code = code;
    this.words = words;
  }

  public static EntryKind of(String type, @Nullable String role) {
    return type.equals("message")
        ? BY_ROLE.getOrDefault(role == null ? "" : role, OTHER_MESSAGE)
        : BY_TYPE.getOrDefault(type, UNKNOWN);
  }

  static EntryKind of(int code) {
    return BY_CODE.getOrDefault(code, UNKNOWN);
  }

  /// A small number for tables.
  int code() {
    return code;
  }

  /// The name of the kind for people.
  public String words() {
    return words;
  }
}
