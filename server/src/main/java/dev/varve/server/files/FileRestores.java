// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.files;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.StoreException;
import dev.varve.Turn;
import java.util.Optional;

/// Restores of captured files to the folder on this machine from which they were taken: their plan,
/// and, where the owner of the service allowed it, the restore itself.
public interface FileRestores {

  /// Plans nothing and restores nothing: for a service that other machines reach, or whose store
  /// has no snapshots.
  FileRestores NONE =
      new FileRestores() {
        @Override
        public Optional<String> plan(Store store, Turn turn, Kind kind) {
          return Optional.empty();
        }

        @Override
        public boolean areCarriedOut() {
          return false;
        }

        @Override
        public Optional<String> carryOut(Store store, Turn turn, Kind kind, BlobHash agreed) {
          return Optional.empty();
        }
      };

  /// The kind of a restore.
  enum Kind {
    /// The files of the turn's snapshot come back.
    RESTORE,
    /// The files that the folder's last restore changed become what they were before it.
    UNDO
  }

  /// The plan as a JSON object (`RestorePlan` of the API document); empty if the turn keeps no
  /// snapshot that can be restored here. Changes no file of the folder.
  ///
  /// @param turn with its payload
  /// @throws StoreException.NotFound if the folder is not here, or there is nothing to undo
  /// @throws StoreException.Conflict if a restore of the folder broke off
  Optional<String> plan(Store store, Turn turn, Kind kind);

  /// Returns whether the owner of the service allowed restores. Without that, [#carryOut] is never
  /// called.
  boolean areCarriedOut();

  /// Makes the plan again and carries it out, if it is the one that somebody agreed to. On return
  /// the files are on the disk, and the restore can be undone.
  ///
  /// @param turn with its payload
  /// @param agreed the `plan_digest` of the plan that was shown
  /// @return a JSON object (`RestoreOutcome` of the API document); empty as for [#plan]
  /// @throws StoreException.Conflict if the plan is not the one that was shown any more; nothing
  ///   was restored then
  /// @throws StoreException.NotFound as [#plan] does
  Optional<String> carryOut(Store store, Turn turn, Kind kind, BlobHash agreed);
}
