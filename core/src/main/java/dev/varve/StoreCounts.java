// SPDX-License-Identifier: Apache-2.0
package dev.varve;

/// The number and the size of the objects in a store.
///
/// @param blobs the number of different contents
/// @param rawBytes the size of the blobs, uncompressed
/// @param storedBytes the size of their records in `blobs.pack`
/// @param diskBytes the size of all files of the store; -1 where the store is remote
public record StoreCounts(
    long contexts,
    long turns,
    long blobs,
    long overlays,
    long types,
    long rawBytes,
    long storedBytes,
    long diskBytes) {}
