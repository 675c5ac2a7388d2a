// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.git;

import dev.varve.rewind.SnapshotMetadata;

/// The state of a worktree's files at one moment, from which a snapshot is made.
///
/// @param tree the id of git's tree with all files that are captured
/// @param metadata what the tree does not say
record WorktreeState(String tree, SnapshotMetadata metadata) {}
