// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.folder;

import dev.varve.Payload;
import dev.varve.StoreException;
import dev.varve.Turn;
import dev.varve.access.StoreAccess;
import dev.varve.git.RepoPath;
import dev.varve.rewind.PathSelection;
import dev.varve.rewind.RestorePlan;
import dev.varve.rewind.RestoreSize;
import dev.varve.rewind.Rewind;
import dev.varve.rewind.Snapshot;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/// The restore to a snapshot that a turn keeps, planned for the folder from which it was taken.
/// Nothing is restored.
///
/// @param root the folder
public record FolderRestore(Path root, RestorePlan plan, RestoreSize size) {

  /// Plans the restore. Turns come from writers who may have no business with this machine's files,
  /// so the only folders that are looked at are those that were captured here before, into this
  /// store.
  ///
  /// @param about the description of the turn's context
  /// @param access the way to the store that has the turn
  /// @return empty if the turn keeps no snapshot
  /// @throws StoreException.NotFound if the folder is not on this machine, or was not captured here
  /// @throws StoreException.Invalid as [Rewind#plan] does
  public static Optional<FolderRestore> of(
      Payload about, Turn turn, StoreAccess access, InstantSource clock) {
    Payload payload = turn.payload();
    if (payload == null || !turn.type().equals(SnapshotPayload.TYPE)) {
      return Optional.empty();
    }
    Optional<Snapshot> target = SnapshotPayload.read(payload);
    Optional<String> root = SnapshotContext.root(about);
    if (target.isEmpty() || root.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        planned(
            RepoPath.absolute(RepoPath.parse(root.get()).bytes()), target.get(), access, clock));
  }

  private static FolderRestore planned(
      Path root, Snapshot target, StoreAccess access, InstantSource clock) {
    if (!CapturedFolder.wasCaptured(root, access.folder())) {
      throw new StoreException.NotFound(
          "folder that was captured on this machine", root.toString());
    }
    Rewind rewind =
        Rewind.of(FolderArchive.at(root, access, clock, Rewind.FILE_BYTES_MAX_DEFAULT), clock);
    RestorePlan plan = rewind.plan(target, new PathSelection.Everything());
    return new FolderRestore(rewind.root(), plan, rewind.size(plan));
  }
}
