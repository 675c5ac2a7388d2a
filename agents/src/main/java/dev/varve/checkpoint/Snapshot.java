// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import java.time.Instant;
import java.util.Optional;

/// The state of a worktree at one moment: a commit without history.
///
/// @param commit the snapshot's name
/// @param tree what was captured; equal trees are equal files
/// @param facts what the tree does not say; empty if another tool made the snapshot
/// @param note what somebody said about it, may be empty
public record Snapshot(
    String commit, String tree, Instant at, Optional<Facts> facts, String note) {}
