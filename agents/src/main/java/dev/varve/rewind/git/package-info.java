// SPDX-License-Identifier: Apache-2.0
/// Snapshots of a worktree that git keeps.
///
/// [GitArchive] is the archive that a [dev.varve.rewind.Rewind] gets. A capture looks for what
/// changed with a private index in a git folder of its own ([ShadowRepository]), makes a tree of
/// exactly what is on the disk, and keeps the tree reachable from one ref of the user's repository
/// ([SnapshotRef]). The user's index, HEAD, stash and branches are never touched. [GitRewind] opens
/// a worktree.
@NullMarked
package dev.varve.rewind.git;

import org.jspecify.annotations.NullMarked;
