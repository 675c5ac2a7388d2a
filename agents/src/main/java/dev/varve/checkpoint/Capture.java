// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import dev.varve.StoreException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Takes a snapshot. Called under the shadow's lock.
///
/// Captured is what the user's git tracks, ignored or not, and what it neither tracks nor ignores;
/// in repositories inside likewise.
final class Capture {

  private static final int TRIES = 3;

  private final Worktree worktree;
  private final Shadow shadow;
  private final StoreRef store;
  private final Recall recall;
  private final InstantSource clock;
  private final long fileBytesMax;

  Capture(
      Worktree worktree,
      Shadow shadow,
      StoreRef store,
      Recall recall,
      InstantSource clock,
      long fileBytesMax) {
    this.worktree = worktree;
    this.shadow = shadow;
    this.store = store;
    this.recall = recall;
    this.clock = clock;
    this.fileBytesMax = fileBytesMax;
  }

  /// What is on the disk now. If nothing changed since the last snapshot of this worktree, that one
  /// is returned and nothing is written.
  Snapshot take(Purpose purpose) {
    shadow.unlockIndex();
    shadow.forgetOldLooks(clock.instant());
    Optional<LastCapture> last =
        LastCapture.read(shadow.folder()).filter(before -> store.keeps(before.commit()));
    Instant startedAt = clock.instant();
    long nowNanos = System.currentTimeMillis() * 1_000_000L;
    String rules = shadow.rules().signature();
    boolean newRules = last.isEmpty() || !last.get().rules().equals(rules);
    if (!newRules) {
      Optional<Known.Seen> seen = recall.look(rules, nowNanos);
      if (seen.isPresent()) {
        return recalled(purpose, last.orElseThrow(), startedAt, rules, seen.get());
      }
    }
    if (newRules) {
      shadow.furnish();
    }
    if (last.isEmpty()) {
      shadow.forget();
    }
    for (int i = 1; ; i++) {
      try {
        Inspection.Found found =
            new Inspection(worktree, shadow, fileBytesMax).run(last.orElse(null), newRules);
        Snapshot taken =
            concluded(purpose, last.orElse(null), startedAt, rules, found.index(), found.seen());
        recall.learn(() -> Known.of(worktree, shadow, found, rules, nowNanos, fileBytesMax));
        return taken;
      } catch (StoreException.Io e) {
        // A file went away or came while git looked, or the index is damaged: it can be made anew.
        if (i == TRIES) {
          throw e;
        }
        shadow.unlockOwnIndex();
        if (i > 1) {
          shadow.furnish();
          shadow.forget();
          last = Optional.empty();
        }
        newRules = true;
      }
    }
  }

  /// What this process knows to be written must be: if that fails, it knows nothing.
  private Snapshot recalled(
      Purpose purpose, LastCapture last, Instant startedAt, String rules, Known.Seen seen) {
    boolean done = false;
    try {
      Snapshot taken = concluded(purpose, last, startedAt, rules, last.index(), seen);
      worktree.objects().settle();
      done = true;
      return taken;
    } finally {
      if (!done) {
        recall.forget();
      }
    }
  }

  /// Names what was found: by the last snapshot if nothing changed, else by a new one.
  private Snapshot concluded(
      Purpose purpose,
      @Nullable LastCapture last,
      Instant startedAt,
      String rules,
      String index,
      Known.Seen seen) {
    String tree = seen.tree();
    Facts facts = seen.facts();
    if (!purpose.always()
        && last != null
        && tree.equals(last.tree())
        && facts.equals(last.facts())) {
      if (!rules.equals(last.rules()) || !index.equals(last.index())) {
        new LastCapture(last.commit(), tree, startedAt, rules, index, last.message())
            .write(shadow.folder());
      }
      return recall.snapshot(last.commit(), () -> Snapshots.get(shadow.git(), last.commit()));
    }
    Snapshot same = purpose.same();
    if (same != null && !(same.tree().equals(tree) && same.facts().equals(Optional.of(facts)))) {
      same = null;
    }
    String message = facts.message(purpose.note());
    if (!purpose.keep()) {
      shadow.looked();
      String commit = commit(tree, message, startedAt);
      worktree.objects().settle();
      return new Snapshot(commit, tree, startedAt, Optional.of(facts), purpose.note());
    }
    String commit = same != null ? same.commit() : commit(tree, message, startedAt);
    if (same == null || !store.keeps(commit)) {
      store.add(commit);
    }
    shadow.head(commit);
    new LastCapture(commit, tree, startedAt, rules, index, message).write(shadow.folder());
    shadow.kept();
    return recall.remember(
        same != null
            ? same
            : new Snapshot(commit, tree, startedAt, Optional.of(facts), purpose.note()));
  }

  private String commit(String tree, String message, Instant at) {
    return worktree.objects().commit(tree, List.of(), message, at);
  }
}
