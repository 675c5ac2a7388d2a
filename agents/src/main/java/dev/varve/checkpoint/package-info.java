// SPDX-License-Identifier: Apache-2.0
/// Exact checkpoints of a worktree, and the way back to them.
///
/// [Rewind] is the door. An [Archive] takes the snapshots and keeps them; the one of this room is
/// git's: a capture looks for what changed with a private index in a git folder of its own
/// ([Shadow]), makes a tree of exactly what is on the disk, and keeps it reachable from one ref of
/// the user's repository ([StoreRef]); what a tree cannot say stands in the commit's message
/// ([Facts]). A restore is planned ([Planner]), shown, applied ([Apply]) under a journal
/// ([RestoreJournal]), verified by another capture, and can be undone ([Operations]). The user's
/// index, HEAD, stash and branches are never touched. One lock file a worktree makes captures and
/// restores take turns, across processes.
@NullMarked
package dev.varve.checkpoint;

import org.jspecify.annotations.NullMarked;
