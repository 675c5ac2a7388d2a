// SPDX-License-Identifier: Apache-2.0
/// Conversations of JP into a store and out again.
///
/// [JpImport] makes each entry of a conversation's stream a turn, each payload a blob of the store,
/// each conversation a context, and writes a *manifest* that describes how the folder is put
/// together again. Forks share the turns they have in common; a payload is kept once, whoever else
/// has it. [JpExport] gives the folder back, each file byte for byte and proved by its hash. The
/// manifest: docs/format/jp-manifest.md.
@NullMarked
package dev.varve.jp.travel;

import org.jspecify.annotations.NullMarked;
