// SPDX-License-Identifier: Apache-2.0
/// A store in a PostgreSQL database: the same promises as a store in a folder, for any number of
/// services at the same time.
///
/// [PostgresStore] is the door. Every write is one function of the database (`schema.sql`), so that
/// it takes one round trip and happens whole or not at all. Each write can be repeated without
/// being done twice, so that a connection that dies in between is repaired by asking again
/// ([DatabaseSessions]). Blobs are chunks and lists as in a pack (`docs/format/chunk-lists.md`),
/// compressed here and verified by whoever reads them ([BlobTable]).
///
/// Page: `docs/format/postgresql.md`.
@NullMarked
package dev.varve.postgresql;

import org.jspecify.annotations.NullMarked;
