// SPDX-License-Identifier: Apache-2.0
/// The journal, which makes a commit one forced write, and the checkpoint, after which the journal
/// is used again.
///
/// A commit's bytes are written, unforced, to the files where they belong, and once more into the
/// journal, which is forced. After a crash, everything behind the checkpoint is written again from
/// the journal. At a checkpoint the files themselves are forced, and the journal starts over.
/// Pages: `docs/format/journal.md`, `docs/format/checkpoint-tbl.md`; why it is so:
/// `docs/decisions/0002-one-forced-write.md`.
@NullMarked
package dev.varve.journal;

import org.jspecify.annotations.NullMarked;
