// SPDX-License-Identifier: Apache-2.0
/// Turns and heads on the disk: `turns.log`, `turns.meta`, `turns.idx`, `heads.log`, `heads.tbl`,
/// `types.tbl`, `overlays.log`, and the walks along parents. Knows hashes, never payloads.
///
/// Each file has a page in `docs/format/`. Writing is the business of one thread, which calls
/// `write` (bytes that no reader looks at yet) and, once they are durable, `publish`. Readers take
/// no lock: what is published never changes, except for heads, which are read through a map of what
/// is newer than the file.
@NullMarked
package dev.varve.turn;

import org.jspecify.annotations.NullMarked;
