// SPDX-License-Identifier: Apache-2.0
/// Snapshots of any folder, without git: file trees of a store, each attached to a turn.
///
/// [FolderArchive] is the door; what it keeps is told in docs/format/folder-snapshots.md. A capture
/// walks the folder ([Walk]), reads what its notes of the last one ([Notes]) do not vouch for, and
/// makes trees ([Growth]) of the store's own form; what they cannot say is the turn's payload
/// ([CheckpointText]). The store is open for moments only ([StoreDoor]).
@NullMarked
package dev.varve.folder;

import org.jspecify.annotations.NullMarked;
