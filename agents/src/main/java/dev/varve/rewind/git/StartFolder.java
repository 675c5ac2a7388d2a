// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import dev.varve.StoreException;
import dev.varve.disk.DiskErrors;
import dev.varve.git.RepoPath;
import dev.varve.rewind.Snapshot;
import dev.varve.rewind.SnapshotMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;

/// The folder by which a worktree was found.
///
/// By git's rules, a folder that was a worktree and lost its `.git` belongs to the repository
/// around it. A user who starts a restore there means the lost worktree, not the worktree around
/// it.
final class StartFolder {

  private final Worktree worktree;
  private final Path folder;

  StartFolder(Worktree worktree, Path folder) {
    this.worktree = worktree;
    this.folder = folder;
  }

  /// Refuses to change the worktree from a folder that is not really a part of it.
  ///
  /// @param snapshot knows the repositories that were inside the worktree
  /// @throws StoreException.Invalid if the folder is in a repository that is gone, or is ignored
  void demandPart(Snapshot snapshot) {
    Path here;
    try {
      here = folder.toRealPath();
    } catch (IOException e) {
      throw DiskErrors.of(folder, "look at", e);
    }
    if (here.equals(worktree.root()) || !here.startsWith(worktree.root())) {
      return;
    }
    RepoPath path = RepoPath.from(worktree.root(), here);
    for (RepoPath repository :
        snapshot.metadata().map(SnapshotMetadata::inner).orElseGet(TreeMap::new).keySet()) {
      Path place = repository.under(worktree.root());
      if (here.startsWith(place)
          && Files.notExists(place.resolve(".git"), LinkOption.NOFOLLOW_LINKS)) {
        throw new StoreException.Invalid(
            here.toString(), "its repository is gone; expected to be in " + worktree.root());
      }
    }
    if (!new GitIgnoreRules(worktree.git()).untracked(List.of(path.asFolder())).isEmpty()) {
      throw new StoreException.Invalid(
          here.toString(),
          "is ignored by the repository around it; expected to be in " + worktree.root());
    }
  }
}
