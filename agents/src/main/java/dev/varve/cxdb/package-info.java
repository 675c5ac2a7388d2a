// SPDX-License-Identifier: Apache-2.0
/// The data directory of a cxdb server, into an empty store.
///
/// [CxdbImport] reads the directory's files, never writes to them, and brings over what is whole in
/// them: blobs, turns, contexts and file trees, with their numbers and times. Damaged records are
/// passed over and reported.
///
/// The layout is that of the reference server, in both its generations (docs/cxdb-import.md).
/// Compressed blobs are the business of a [ZstdDecompressor] that the caller brings along. Nothing
/// in this room is shared between threads.
@NullMarked
package dev.varve.cxdb;

import org.jspecify.annotations.NullMarked;
