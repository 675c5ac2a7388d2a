// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import dev.varve.git.RepoPath;

/// What a restore is to do with one path.
///
/// @param why for a path that is kept as it is: the reason; else empty
/// @param folder whether it is a folder: one that is empty, or has unusual permissions
/// @param mode the kind and permissions that it is to have, as in a tree; 0 if it is to be gone
/// @param id the content that it is to have
/// @param permissions in octal; empty where they are not known
/// @param editedSince whether it was changed since the checkpoint before this restore, so that the
///   change is in no snapshot but the one taken for this plan
public record PlannedPath(
    RepoPath path,
    Action action,
    String why,
    boolean folder,
    int mode,
    String id,
    String permissions,
    boolean editedSince) {

  /// What becomes of a path.
  public enum Action {
    CREATE,
    CHANGE,
    /// Content is right, permissions are not.
    PERMIT,
    DELETE,
    /// It differs from the snapshot and stays as it is.
    KEEP
  }

  PlannedPath kept(String reason) {
    return new PlannedPath(path, Action.KEEP, reason, folder, mode, id, permissions, editedSince);
  }
}
