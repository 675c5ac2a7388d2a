// SPDX-License-Identifier: Apache-2.0
/// Exact snapshots of a worktree, and the way back to them.
///
/// [Rewind] is the way in. A [SnapshotArchive] takes snapshots and keeps them, in git or in a
/// store. A restore is planned ([RestorePlanner]), shown, carried out ([RestoreRun]) under a
/// journal ([RestoreJournal]), verified by another capture, and can be undone ([RestoreHistory]). A
/// lock file for each worktree makes captures and restores take turns, across processes.
@NullMarked
package dev.varve.rewind;

import org.jspecify.annotations.NullMarked;
