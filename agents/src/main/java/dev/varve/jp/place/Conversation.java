// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.place;

import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A conversation and its copies, at least one.
public record Conversation(ConversationId id, List<ConversationCopy> copies) {

  public Conversation {
    copies = List.copyOf(copies);
    if (copies.isEmpty()) {
      throw new IllegalArgumentException("no copy of " + id);
    }
  }

  /// The copy that JP reads: live before archived, the newer stream before the older, at a tie the
  /// user's own.
  public ConversationCopy newest() {
    return copies.stream()
        .min(
            Comparator.comparing(ConversationCopy::partition)
                .thenComparing(
                    copy -> copy.streamTime().orElse(FileTime.fromMillis(0)),
                    Comparator.reverseOrder())
                .thenComparing(copy -> copy.root().kind(), Comparator.reverseOrder()))
        .orElseThrow();
  }

  /// The copy in a root, if there is one; live before archived.
  public Optional<ConversationCopy> in(WorkspaceRoot.Kind kind) {
    return copies.stream()
        .filter(copy -> copy.root().kind() == kind)
        .min(Comparator.comparing(ConversationCopy::partition));
  }

  /// `projected`, `user-local only` or `workspace only`.
  public String presence() {
    boolean workspace = in(WorkspaceRoot.Kind.WORKSPACE).isPresent();
    boolean userLocal = in(WorkspaceRoot.Kind.USER_LOCAL).isPresent();
    return workspace && userLocal ? "projected" : workspace ? "workspace only" : "user-local only";
  }
}
