// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import dev.varve.StoreException;
import dev.varve.git.Git;
import dev.varve.rewind.ArchiveHealth;
import dev.varve.rewind.Snapshot;
import dev.varve.rewind.UnfinishedRestore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads the snapshots of a repository to the last object.
final class GitHealth {

  private static final int NAMED_MAX = 20;

  private final Worktree worktree;
  private final Git git;
  private final SnapshotRef store;
  private final List<String> problems = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();
  private int more;

  GitHealth(Worktree worktree, Git git, SnapshotRef store) {
    this.worktree = worktree;
    this.git = git;
    this.store = store;
  }

  ArchiveHealth result(@Nullable UnfinishedRestore begun) {
    int count = 0;
    Optional<String> tip = tip();
    if (tip.isPresent()) {
      count = snapshots();
      objects(tip.get());
    } else if (problems.isEmpty()) {
      remarks.add("There are no snapshots yet.");
    }
    if (!problems.isEmpty()) {
      ShadowRepository.doubt(worktree);
    }
    mirrors();
    if (begun != null) {
      problems.add("A " + begun.kind() + " of " + begun.paths() + " paths broke off.");
    }
    return new ArchiveHealth(count, begun, problems, remarks);
  }

  private Optional<String> tip() {
    try {
      return store.tip();
    } catch (StoreException.Corrupt e) {
      problems.add("The list of snapshots is damaged: " + e.getMessage());
      return Optional.empty();
    }
  }

  private int snapshots() {
    try {
      List<Snapshot> all = SnapshotCommits.all(git, store.snapshots());
      long others = all.stream().filter(snapshot -> snapshot.metadata().isEmpty()).count();
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

  /// Reads every object that the snapshots are made of, each once.
  private void objects(String tip) {
    Git.Output output =
        git.tryRun(
            new byte[0], "rev-list", "--objects", "--no-object-names", "--missing=print", tip);
    if (output.status() != 0) {
      problem("Objects of snapshots are missing or damaged: " + output.err().strip());
    }
    List<String> ids = new ArrayList<>();
    for (String line : output.line().lines().toList()) {
      if (line.startsWith("?")) {
        problem("An object of a snapshot is missing: " + line.substring(1));
      } else {
        ids.add(line);
      }
    }
    ObjectDamage.among(ids, git, worktree)
        .forEach((id, how) -> problem("An object of a snapshot " + how.words() + ": " + id));
    if (more > 0) {
      problems.add("… and " + more + " more");
    }
  }

  private void problem(String what) {
    if (problems.size() < NAMED_MAX) {
      problems.add(what);
    } else {
      more++;
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
