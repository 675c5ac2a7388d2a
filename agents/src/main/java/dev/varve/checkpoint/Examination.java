// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import dev.varve.StoreException;
import dev.varve.git.Git;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the snapshots of a repository to the last object.
final class Examination {

  private final Worktree worktree;
  private final Git git;
  private final StoreRef store;
  private final List<String> problems = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();

  Examination(Worktree worktree, Git git, StoreRef store) {
    this.worktree = worktree;
    this.git = git;
    this.store = store;
  }

  Health result(Rewind.@Nullable Begun begun) {
    int count = 0;
    if (store.tip().isEmpty()) {
      remarks.add("There are no snapshots yet.");
    } else {
      count = snapshots();
      objects();
    }
    mirrors();
    if (begun != null) {
      problems.add("A " + begun.kind() + " of " + begun.paths() + " paths broke off.");
    }
    return new Health(count, begun, problems, remarks);
  }

  private int snapshots() {
    try {
      List<Snapshot> all = Snapshots.all(git, store.snapshots());
      long others = all.stream().filter(snapshot -> snapshot.facts().isEmpty()).count();
      if (others > 0) {
        remarks.add(
            others
                + " of the snapshots were taken by another tool: of them only contents are known.");
      }
      return all.size();
    } catch (StoreException.NotFound | StoreException.Io | StoreException.Corrupt e) {
      problems.add("The list of snapshots cannot be read: " + e.getMessage());
      return 0;
    }
  }

  private void objects() {
    Git.Output output =
        git.tryRun(new byte[0], "rev-list", "--objects", "--quiet", store.tip().orElseThrow());
    if (output.status() != 0) {
      problems.add("Objects of snapshots are missing or damaged: " + output.err().strip());
    }
  }

  /// A mirror takes every ref with it, and so every file that was ever captured.
  private void mirrors() {
    if (worktree.keepsOutside()) {
      return;
    }
    Git.Output output =
        worktree
            .git()
            .tryRun(new byte[0], "config", "--get-regexp", "^remote\\..*\\.(mirror|push)$");
    output
        .line()
        .lines()
        .filter(line -> line.matches(".*\\.mirror true|.* \\+?refs/\\*.*"))
        .forEach(
            line ->
                remarks.add(
                    "'"
                        + line.split(" ", 2)[0]
                        + "' pushes all refs, also the snapshots: they hold untracked files."));
  }
}
