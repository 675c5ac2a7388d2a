// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import dev.varve.git.RepoPath;

/// The plan of a restore for one path.
///
/// @param why the reason why a path is kept as it is; empty for other paths
/// @param folder whether the path is a folder: an empty folder, or a folder with unusual
///   permissions
/// @param mode the kind and permissions that the path is to have, as in a tree; 0 if the path is to
///   be deleted
/// @param id the content that the path is to have
/// @param permissions in octal; empty where they are not known
/// @param editedSince whether the path was changed since the last snapshot before this restore, so
///   that the change is only in the snapshot taken for this plan
public record PlannedPath(
    RepoPath path,
    Action action,
    String why,
    boolean folder,
    int mode,
    String id,
    String permissions,
    boolean editedSince) {

  /// The action of a restore on a path.
  public enum Action {
    CREATE,
    CHANGE,
    /// The content is right, the permissions are not.
    PERMIT,
    DELETE,
    /// The path differs from the snapshot and stays as it is.
    KEEP
  }

  PlannedPath kept(String reason) {
    return new PlannedPath(path, Action.KEEP, reason, folder, mode, id, permissions, editedSince);
  }
}
