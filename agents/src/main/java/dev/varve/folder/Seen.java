// SPDX-License-Identifier: Apache-2.0
package dev.varve.folder;

import dev.varve.git.RepoPath;
import java.nio.file.Path;
import java.util.List;

/// Something that a walk met.
sealed interface Seen {

  RepoPath path();

  Stat stat();

  /// A file or a link.
  ///
  /// @param place where it is
  record Leaf(RepoPath path, Stat stat, Path place) implements Seen {}

  /// A folder. The top's path is empty.
  record Folder(RepoPath path, Stat stat, List<Seen> inside) implements Seen {}

  /// The last step of its path.
  default String name() {
    return TreeNames.text(path().name());
  }
}
