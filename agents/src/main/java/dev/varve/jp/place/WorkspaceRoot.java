// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.place;

import java.nio.file.Path;

/// A storage location: a folder with `conversations/` and `blobs/`.
public record WorkspaceRoot(Kind kind, Path folder) {

  /// Which of the two.
  public enum Kind {
    /// `.jp` in the project, shared by way of version control.
    WORKSPACE("workspace"),
    /// The user's own.
    USER_LOCAL("user-local");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }

  public Path conversations() {
    return folder.resolve("conversations");
  }

  public Path blobs() {
    return folder.resolve("blobs");
  }
}
