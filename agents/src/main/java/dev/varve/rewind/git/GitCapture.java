// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import dev.varve.StoreException;
import dev.varve.rewind.CapturePurpose;
import dev.varve.rewind.Snapshot;
import dev.varve.rewind.SnapshotMessage;
import dev.varve.rewind.SnapshotMetadata;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Takes a snapshot. Called under the shadow's lock.
///
/// A capture takes the files that the user's git tracks, ignored or not, and the files that it
/// neither tracks nor ignores. In repositories inside, the same rule holds by their own git.
final class GitCapture {

  private static final int TRIES = 3;

  private final Worktree worktree;
  private final ShadowRepository shadow;
  private final SnapshotRef store;
  private final CaptureMemory memory;
  private final InstantSource clock;
  private final long fileBytesMax;

  GitCapture(
      Worktree worktree,
      ShadowRepository shadow,
      SnapshotRef store,
      CaptureMemory memory,
      InstantSource clock,
      long fileBytesMax) {
    this.worktree = worktree;
    this.shadow = shadow;
    this.store = store;
    this.memory = memory;
    this.clock = clock;
    this.fileBytesMax = fileBytesMax;
  }

  /// Captures the files as they are now. If nothing changed since the last snapshot of this
  /// worktree, that snapshot is returned and nothing is written.
  Snapshot take(CapturePurpose purpose) {
    shadow.unlockIndex();
    shadow.forgetOldLooks(clock.instant());
    boolean doubting = shadow.isDoubted();
    Optional<LastCapture> last =
        doubting || !shadow.hasHead()
            ? Optional.empty()
            : LastCapture.read(shadow.folder()).filter(before -> store.keeps(before.commit()));
    Instant startedAt = clock.instant();
    long nowNanos = System.currentTimeMillis() * 1_000_000L;
    String rules = shadow.rules().signature();
    boolean newRules = last.isEmpty() || !last.get().rules().equals(rules);
    if (!newRules) {
      Optional<WorktreeState> seen = memory.look(rules, nowNanos);
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
        WorktreeScan.Found found =
            new WorktreeScan(worktree, shadow, fileBytesMax, doubting)
                .run(last.orElse(null), newRules);
        Snapshot taken =
            concluded(purpose, last.orElse(null), startedAt, rules, found.index(), found.seen());
        shadow.trust();
        memory.learn(
            () -> WorktreeCache.of(worktree, shadow, found, rules, nowNanos, fileBytesMax));
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

  /// Concludes a look without git. If an object that this process believes to be written cannot be
  /// written, the process forgets everything.
  private Snapshot recalled(
      CapturePurpose purpose,
      LastCapture last,
      Instant startedAt,
      String rules,
      WorktreeState seen) {
    boolean done = false;
    try {
      Snapshot taken = concluded(purpose, last, startedAt, rules, last.index(), seen);
      worktree.objects().settle();
      done = true;
      return taken;
    } finally {
      if (!done) {
        memory.forget();
      }
    }
  }

  /// Gives a snapshot for the state that was found: the last snapshot if nothing changed, else a
  /// new one.
  private Snapshot concluded(
      CapturePurpose purpose,
      @Nullable LastCapture last,
      Instant startedAt,
      String rules,
      String index,
      WorktreeState seen) {
    String tree = seen.tree();
    SnapshotMetadata metadata = seen.metadata();
    if (!purpose.always()
        && last != null
        && tree.equals(last.tree())
        && metadata.equals(last.metadata())) {
      if (!rules.equals(last.rules()) || !index.equals(last.index())) {
        new LastCapture(last.commit(), tree, startedAt, rules, index, last.message())
            .write(shadow.folder());
      }
      return memory.snapshot(last.commit(), () -> SnapshotCommits.get(shadow.git(), last.commit()));
    }
    Snapshot same = purpose.same();
    if (same != null
        && !(same.tree().equals(tree) && same.metadata().equals(Optional.of(metadata)))) {
      same = null;
    }
    String message = SnapshotMessage.write(metadata, purpose.note());
    if (!purpose.keep()) {
      shadow.looked();
      String commit = commit(tree, message, startedAt);
      worktree.objects().settle();
      return new Snapshot(commit, tree, startedAt, Optional.of(metadata), purpose.note());
    }
    String commit = same != null ? same.commit() : commit(tree, message, startedAt);
    if (same == null || !store.keeps(commit)) {
      store.add(commit);
    }
    shadow.head(commit);
    new LastCapture(commit, tree, startedAt, rules, index, message).write(shadow.folder());
    shadow.kept();
    return memory.remember(
        same != null
            ? same
            : new Snapshot(commit, tree, startedAt, Optional.of(metadata), purpose.note()));
  }

  private String commit(String tree, String message, Instant at) {
    return worktree.objects().commit(tree, List.of(), message, at);
  }
}
