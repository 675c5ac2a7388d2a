// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What a process that stays remembers from one capture to the next. Used under the shadow's lock.
final class Recall {

  private boolean staying;
  private long withoutGit;
  private @Nullable Known known;
  private @Nullable Snapshot snapshot;

  /// How many looks did without git, but for new names.
  long withoutGit() {
    return withoutGit;
  }

  /// From now on it is worth to remember.
  void stay() {
    staying = true;
  }

  /// What is there, if it can be told without git.
  ///
  /// @param rules [UserRules#signature] now
  Optional<Known.Seen> look(String rules, long nowNanos) {
    Known before = known;
    known = null; // unless all goes well
    Optional<Known.Seen> seen =
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

  /// Git found something: it is remembered if that is worth it.
  void learn(Supplier<Optional<Known>> found) {
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
