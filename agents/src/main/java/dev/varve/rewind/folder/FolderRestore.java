// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.access.StoreAccess;
import dev.varve.git.RepoPath;
import dev.varve.git.TreeChange;
import dev.varve.hash.Blake3;
import dev.varve.rewind.PathSelection;
import dev.varve.rewind.PlannedPath;
import dev.varve.rewind.RestoreOutcome;
import dev.varve.rewind.RestorePlan;
import dev.varve.rewind.RestoreSize;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.Snapshot;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A planned restore of the folder from which a turn's snapshot was taken. Nothing is restored
/// until [#carryOut] is given the digest of exactly this plan.
public final class FolderRestore {

  private final Rewind rewind;
  private final RestorePlan plan;
  private final boolean undoes;

  private FolderRestore(Rewind rewind, RestorePlan plan, boolean undoes) {
    this.rewind = rewind;
    this.plan = plan;
    this.undoes = undoes;
  }

  /// Plans the restore of the snapshot that a turn keeps. Turns come from writers who may have no
  /// business with this machine's files, so the only folders that are looked at are those that were
  /// captured here before, into this store.
  ///
  /// @param about the description of the turn's context
  /// @param access the way to the store that has the turn
  /// @return empty if the turn keeps no snapshot
  /// @throws StoreException.NotFound if the folder is not on this machine, or was not captured here
  /// @throws StoreException.Conflict if a restore of the folder broke off
  /// @throws StoreException.Invalid as [Rewind#plan] does
  public static Optional<FolderRestore> of(
      Payload about, Turn turn, StoreAccess access, InstantSource clock) {
    return target(turn)
        .flatMap(
            target ->
                rewind(about, access, clock)
                    .map(
                        rewind ->
                            new FolderRestore(
                                rewind,
                                rewind.plan(target, new PathSelection.Everything()),
                                false)));
  }

  /// Plans an undo of the last restore in the folder from which a turn's snapshot was taken,
  /// whichever program made the restore.
  ///
  /// @return empty if the turn keeps no snapshot
  /// @throws StoreException.NotFound as [#of] does, and if there is no restore to undo
  /// @throws StoreException.Conflict if a restore of the folder broke off
  public static Optional<FolderRestore> undo(
      Payload about, Turn turn, StoreAccess access, InstantSource clock) {
    return target(turn)
        .flatMap(_ -> rewind(about, access, clock))
        .map(rewind -> new FolderRestore(rewind, rewind.planUndo(), true));
  }

  private static Optional<Snapshot> target(Turn turn) {
    Payload payload = turn.payload();
    return payload == null || !turn.type().equals(SnapshotPayload.TYPE)
        ? Optional.empty()
        : SnapshotPayload.read(payload);
  }

  private static Optional<Rewind> rewind(Payload about, StoreAccess access, InstantSource clock) {
    return SnapshotContext.root(about)
        .map(
            named -> {
              Path root = RepoPath.absolute(RepoPath.parse(named).bytes());
              if (!CapturedFolder.wasCaptured(root, access.folder())) {
                throw new StoreException.NotFound(
                    "folder that was captured on this machine", root.toString());
              }
              return Rewind.of(
                  FolderArchive.at(root, access, clock, Rewind.FILE_BYTES_MAX_DEFAULT), clock);
            });
  }

  /// The folder.
  public Path root() {
    return rewind.root();
  }

  public RestorePlan plan() {
    return plan;
  }

  /// The size of the restore, for people who are asked before it. Counts lines, so it reads files.
  public RestoreSize size() {
    return rewind.size(plan);
  }

  /// The content of a path that differs: the hash of a file's bytes, or of a link's target. The
  /// store has both, for the plan captured the folder.
  ///
  /// @param now in the folder when the plan was made; null if there is no file or link
  /// @param then in the snapshot; null if there is no file or link
  public record PathContent(@Nullable BlobHash now, @Nullable BlobHash then) {}

  /// The contents of the paths that differ, whether or not a restore would change them.
  public Map<RepoPath, PathContent> contents() {
    Map<RepoPath, PathContent> contents = new HashMap<>();
    for (TreeChange change : rewind.changes(plan.now(), plan.target())) {
      contents.put(
          change.path(),
          new PathContent(
              content(change.oldMode(), change.oldIsFolder(), change.oldId()),
              content(change.newMode(), change.newIsFolder(), change.newId())));
    }
    return contents;
  }

  private static @Nullable BlobHash content(int mode, boolean isFolder, String id) {
    return mode == 0 || isFolder ? null : BlobHash.parse(id);
  }

  /// A hash of all that the restore would do: its kind, its folder, its target, and for each path
  /// the action, the state that the path is to have, and the state that is lost. Two plans have the
  /// same digest only if the same bytes would replace the same bytes.
  public BlobHash digest() {
    StringBuilder text = new StringBuilder("varve restore plan 1\n");
    text.append(undoes ? "undo " : "restore ").append(plan.target().commit()).append('\n');
    text.append(SnapshotContext.escaped(root())).append('\n');
    Set<RepoPath> paths = new HashSet<>();
    for (PlannedPath path : plan.paths()) {
      paths.add(path.path());
      text.append(path.action()).append(' ').append(Integer.toOctalString(path.mode()));
      text.append(' ').append(path.id()).append(' ').append(path.permissions());
      text.append(' ').append(path.path().escaped()).append('\n');
    }
    for (TreeChange change : rewind.changes(plan.now(), plan.target())) {
      if (paths.contains(change.path())) {
        text.append(Integer.toOctalString(change.oldMode())).append(' ').append(change.oldId());
        text.append(' ').append(change.path().escaped()).append('\n');
      }
    }
    return Blake3.hash(text.toString().getBytes(UTF_8));
  }

  /// Carries the plan out. On return the result is on the disk and verified, and can be undone.
  ///
  /// @param agreed the digest of the plan that somebody was shown and agreed to
  /// @throws StoreException.Conflict if the files or the plan are not those of the digest; nothing
  ///   was restored then
  public RestoreOutcome carryOut(BlobHash agreed) {
    BlobHash found = digest();
    if (!found.equals(agreed)) {
      throw new StoreException.Conflict(
          "plan of the restore", agreed.toString(), found + ", because files changed meanwhile");
    }
    return undoes ? rewind.undo(plan) : rewind.restore(plan);
  }
}
