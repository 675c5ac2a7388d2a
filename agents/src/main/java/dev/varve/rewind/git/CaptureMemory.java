// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import dev.varve.rewind.Snapshot;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The memory of a process that stays, from one capture to the next. Used under the shadow's lock.
final class CaptureMemory {

  private boolean staying;
  private long withoutGit;
  private @Nullable WorktreeCache known;
  private @Nullable Snapshot snapshot;

  /// The number of looks that needed git for new names at most.
  long withoutGit() {
    return withoutGit;
  }

  /// Declares that the process stays, so that it remembers.
  void stay() {
    staying = true;
  }

  /// The state of the worktree now; empty if only git can find it.
  ///
  /// @param rules [UserGitRules#signature] now
  Optional<WorktreeState> look(String rules, long nowNanos) {
    WorktreeCache before = known;
    known = null; // unless all goes well
    Optional<WorktreeState> seen =
        before == null || !before.rules.equals(rules) ? Optional.empty() : before.look(nowNanos);
    if (seen.isPresent()) {
      known = before;
      withoutGit++;
    }
    return seen;
  }

  void forget() {
    known = null;
  }

  /// Takes the state that git found, if the process stays.
  void learn(Supplier<Optional<WorktreeCache>> found) {
    known = staying ? found.get().orElse(null) : null;
  }

  /// The snapshot of this name.
  Snapshot snapshot(String commit, Supplier<Snapshot> otherwise) {
    Snapshot before = snapshot;
    if (before == null || !before.commit().equals(commit)) {
      before = otherwise.get();
      snapshot = before;
    }
    return before;
  }

  Snapshot remember(Snapshot taken) {
    snapshot = taken;
    return taken;
  }
}
