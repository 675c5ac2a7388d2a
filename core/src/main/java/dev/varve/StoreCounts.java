// SPDX-License-Identifier: Apache-2.0
package dev.varve;

/// The number and the size of the objects in a store.
///
/// @param blobs different contents
/// @param rawBytes what the blobs measure uncompressed
/// @param storedBytes what their records take in `blobs.pack`
/// @param diskBytes size of all files of the store; -1 where the store is remote
public record StoreCounts(
    long contexts,
    long turns,
    long blobs,
    long overlays,
    long types,
    long rawBytes,
    long storedBytes,
    long diskBytes) {}
