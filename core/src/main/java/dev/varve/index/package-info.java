// SPDX-License-Identifier: Apache-2.0
/// Hash tables on the disk, from a 64-bit fingerprint to a place in a primary file.
///
/// Everything here is **derived**: a table is a cache over an ordered list of records that the
/// store keeps elsewhere. A table may be deleted, cut, stale, ahead of the list or garbled; then
/// the table is caught up or made anew from the list, and no lookup is refused. Two rules make the
/// answers right all the same: the caller confirms each hit in the primary record, and each miss
/// relies on pages whose checksums were right when they were first read.
///
/// Locks: one [java.util.concurrent.locks.ReentrantLock] for each table guards all changes of the
/// table. A larger table is filled by one thread without the lock, and then joins. A lookup takes
/// the lock only for a page whose checksum is wrong. The monitor of a file, held while the file is
/// forced or closed, is taken after the lock, never before. Predicates that a caller passes to a
/// put, and the source, are called under the lock: they must call no table, and need no lock that a
/// caller of the table holds.
///
/// The bytes: `docs/format/index-table.md`.
@NullMarked
package dev.varve.index;

import org.jspecify.annotations.NullMarked;
