// SPDX-License-Identifier: Apache-2.0
/// The store on a local disk: the only room that knows the order in which blobs, turns and heads
/// are written, and the work of an opening.
///
/// [LocalStore] passes operations on; [StoreOpening] and [StoreClosing] open and close;
/// [Committer], [CommitDraft] and [Commit] write; [TurnReader] reads; [Checkpointer] keeps the
/// journal short, and [Recovery] takes up its commits.
///
/// Locks, in the order in which they may be taken: the monitor of [StoreClosing] (closing), the
/// committer's `committing` (everything about committing), then the locks of the rooms below.
/// `docs/ARCHITECTURE.md` lists all locks. Readers take no lock.
///
/// Pages: `docs/durability.md`, `docs/format/store-root.md`.
@NullMarked
package dev.varve.local;

import org.jspecify.annotations.NullMarked;
