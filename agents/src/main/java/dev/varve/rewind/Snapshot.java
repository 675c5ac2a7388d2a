// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import java.time.Instant;
import java.util.Optional;

/// The state of a worktree at one moment: a commit without history.
///
/// @param commit the snapshot's name
/// @param tree the name of the captured files as a tree; equal trees are equal files
/// @param metadata what the tree does not say; empty if another tool made the snapshot
/// @param note the text that was kept with the snapshot, may be empty
public record Snapshot(
    String commit, String tree, Instant at, Optional<SnapshotMetadata> metadata, String note) {

  /// The beginning of the name, for people.
  String shortName() {
    return commit.substring(0, 12);
  }
}
