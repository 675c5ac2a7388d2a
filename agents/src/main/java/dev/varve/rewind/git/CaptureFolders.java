// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import java.nio.file.Path;
import java.util.List;

/// The folders of all worktrees of a repository for the files that one capture leaves for the next.
public final class CaptureFolders {

  /// The name of these folders in git folders.
  public static final String NAME = SnapshotLocation.FOLDER;

  private CaptureFolders() {}

  /// The folders that exist.
  public static List<Path> all(Worktree worktree) {
    return ShadowRepository.all(worktree);
  }

  /// Forgets the last captures of all worktrees: the next capture of each reads every file, and
  /// counts on no object. Called under the locks of all of them.
  public static void forget(Worktree worktree) {
    ShadowRepository.forget(worktree);
  }
}
