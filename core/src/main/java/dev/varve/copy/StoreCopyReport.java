// SPDX-License-Identifier: Apache-2.0
package dev.varve.copy;

/// The work of one run of a [StoreCopy]: only what the copy lacked before.
///
/// @param blobs blobs, chunks of large blobs among them
/// @param blobBytes the size of the content of these blobs
/// @param erasedTurns of `turns`, those whose payload was erased in the source: they are in the
///   copy as deleted turns without a payload
/// @param contexts contexts that were made
/// @param movedContexts contexts that were there and went on
/// @param complete whether nothing was written to the source during the last round, so that the
///   copy has all that the source has
public record StoreCopyReport(
    long blobs,
    long blobBytes,
    long turns,
    long erasedTurns,
    long contexts,
    long movedContexts,
    long overlays,
    boolean complete) {}
