// SPDX-License-Identifier: Apache-2.0
package dev.varve;

/// Outcome of storing a blob.
///
/// @param hash the blob
/// @param isNew whether this call stored the blob: of callers who put one new blob at the same
///   time, exactly one has it true
public record PutOutcome(BlobHash hash, boolean isNew) {}
