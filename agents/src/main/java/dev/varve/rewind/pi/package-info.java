// SPDX-License-Identifier: Apache-2.0
/// Which snapshot belongs to which entry of a session of Pi.
///
/// The session says it itself, in hidden entries ([SessionMark]); nothing else does, so that forks,
/// copies and other tools that know these entries agree. [SessionLog] is a session as far as that
/// matters, [SnapshotBindings] what its marks mean, [SessionLineage] the sessions it was forked
/// from. [LiveSession] follows a session while an agent works in it, takes snapshots at its
/// boundaries, and says which marks are to be written; [SessionNavigation] is the way back, with
/// its [RestoreMenu]. A [SnapshotSweep] lets old snapshots go.
///
/// Session files are never written here: whoever runs the session appends.
@NullMarked
package dev.varve.rewind.pi;

import org.jspecify.annotations.NullMarked;
