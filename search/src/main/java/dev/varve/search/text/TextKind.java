// SPDX-License-Identifier: Apache-2.0
package dev.varve.search.text;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The part that a text plays in a conversation.
public enum TextKind {
  /// A person's words.
  PROMPT,
  /// The agent's words.
  ANSWER,
  /// The agent's words to itself.
  THINKING,
  /// The arguments of a call of a tool, for instance the command of a shell.
  COMMAND,
  /// The result of a tool.
  OUTPUT,
  /// The path of a file that a call names.
  PATH,
  /// Text that a call puts into a file or takes out of a file.
  EDIT,
  /// The title of a conversation.
  TITLE,
  /// Any other text.
  TEXT;

  private static final Map<String, TextKind> ALIASES =
      Map.of("user", PROMPT, "assistant", ANSWER, "tool", OUTPUT, "result", OUTPUT);

  /// The word for this kind in queries and answers.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The kind of a word; empty if there is no such kind.
  public static Optional<TextKind> find(String word) {
    String lower = word.toLowerCase(Locale.ROOT);
    for (TextKind kind : values()) {
      if (kind.word().equals(lower)) {
        return Optional.of(kind);
      }
    }
    return Optional.ofNullable(ALIASES.get(lower));
  }
}
