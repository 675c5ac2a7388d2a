// SPDX-License-Identifier: Apache-2.0
package dev.varve.git;

import java.util.ArrayList;
import java.util.List;

/// The differences between a worktree and git's index (git-status(1)).
///
/// @param entries the paths that differ
/// @param complete false if git complained, for instance about a folder that it may not read: then
///   git reports nothing of what is in the folder
public record WorktreeStatus(List<StatusEntry> entries, boolean complete) {

  private static final String[] QUESTION = {
    "status",
    "--porcelain=v2",
    "-z",
    "--untracked-files=all",
    "--ignore-submodules=all",
    "--no-renames"
  };

  public WorktreeStatus {
    entries = List.copyOf(entries);
  }

  /// Asks git. Files whose size and times are as the index has them are not read.
  public static WorktreeStatus of(Git git) {
    Git.Output output = git.tryRun(new byte[0], QUESTION);
    if (output.status() != 0) {
      throw git.failed(output, QUESTION);
    }
    List<StatusEntry> entries = new ArrayList<>();
    for (RepoPath piece : RepoPath.list(output.out())) {
      entries.add(StatusEntry.parse(piece.bytes()));
    }
    return new WorktreeStatus(entries, output.err().isBlank());
  }
}
