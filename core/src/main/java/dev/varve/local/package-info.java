// SPDX-License-Identifier: Apache-2.0
/// The store on a local disk: the only room that knows in which order blobs, turns and heads are
/// written, and what an opening makes of what it finds.
///
/// [LocalStore] opens, closes and hands on; [Committer], [Draft] and [Commit] write; [TurnReader]
/// reads; [Checkpointer] and [Recovery] keep the journal short and take up what it holds.
///
/// Locks, in the order in which they may be taken: the monitor of [LocalStore] (closing), the
/// committer's `committing` (everything about committing), then those of the rooms below.
/// `docs/ARCHITECTURE.md` has them all. Readers take none.
///
/// Pages: `docs/durability.md`, `docs/format/store-root.md`.
@NullMarked
package dev.varve.local;

import org.jspecify.annotations.NullMarked;
