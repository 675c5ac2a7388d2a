// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import dev.varve.StoreException;
import dev.varve.disk.DiskLock;
import dev.varve.rewind.Rewind;
import java.nio.file.Path;
import java.time.InstantSource;

/// Opens the worktree of a git repository for snapshots and restores.
public final class GitRewind {

  private GitRewind() {}

  /// The worktree that a folder is in; a capture is always of the whole worktree.
  ///
  /// @throws StoreException.NotFound if the folder is in no worktree of git
  public static Rewind at(Path folder, InstantSource clock, long fileBytesMax) {
    return Rewind.of(new GitArchive(Worktree.at(folder), folder, clock, fileBytesMax), clock);
  }

  /// Keeps the snapshots of a repository outside of it from now on, and moves the existing ones. A
  /// program that has opened the worktree before must open it again.
  ///
  /// @param to the folder for the snapshots, which is made
  /// @return whether the snapshots were in the repository until now
  public static boolean keepOutside(Path folder, Path to) {
    Worktree worktree = Worktree.at(folder);
    if (worktree.keepsOutside()) {
      return false;
    }
    try (DiskLock _ = new GitArchive(worktree, folder, InstantSource.system(), 0).lock()) {
      ExternalRepository.move(worktree, to);
    }
    return true;
  }
}
