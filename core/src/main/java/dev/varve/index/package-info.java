// SPDX-License-Identifier: Apache-2.0
/// Where is it? Hash tables on disk, from a 64-bit fingerprint to a place in a primary file.
///
/// Everything here is **derived**: a table is a cache over an ordered list of records that the
/// store keeps elsewhere. It may be deleted, cut, stale, ahead of the list or garbled; then it is
/// caught up or made anew from the list, and a lookup never refuses for it. Two rules make its
/// answers right all the same: whoever asks confirms each hit in the primary record, and each miss
/// rests on pages whose checksums were right when first touched.
///
/// Locks: one [java.util.concurrent.locks.ReentrantLock] a table guards all that changes it. A
/// successor is filled by one thread without it, and then joins. Lookups take it only for a page
/// whose checksum they found wrong. The monitor of a file, held while it is forced or closed, is
/// taken after it, never before. Predicates that a caller passes to a put, and the source, are
/// called under it: they must call no table and need no lock that a caller of this one holds.
///
/// The bytes: `docs/format/index-table.md`.
@NullMarked
package dev.varve.index;

import org.jspecify.annotations.NullMarked;
