// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import dev.varve.git.RepoPath;
import java.nio.file.Path;
import java.util.List;

/// A path that a walk met.
sealed interface WalkedPath {

  RepoPath path();

  FileStat stat();

  /// A file or a link.
  ///
  /// @param place the path on the disk
  record Leaf(RepoPath path, FileStat stat, Path place) implements WalkedPath {}

  /// A folder. The top's path is empty.
  record Folder(RepoPath path, FileStat stat, List<WalkedPath> inside) implements WalkedPath {}

  /// The last step of its path.
  default String name() {
    return TreeNames.text(path().name());
  }
}
