// SPDX-License-Identifier: Apache-2.0
/// Snapshots of any folder, without git: file trees of a store, each attached to a turn.
///
/// [FolderArchive] is the door; docs/format/folder-snapshots.md describes its content. A capture
/// walks the folder ([FolderWalk]), reads what its notes of the last one ([CaptureNotes]) do not
/// vouch for, and makes trees ([TreeBuilder]) of the store's own form; what they cannot say is the
/// turn's payload ([SnapshotPayload]). The store is open for moments only
/// ([dev.varve.access.StoreAccess]).
@NullMarked
package dev.varve.rewind.folder;

import org.jspecify.annotations.NullMarked;
