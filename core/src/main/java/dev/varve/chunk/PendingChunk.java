// SPDX-License-Identifier: Apache-2.0
package dev.varve.chunk;

import dev.varve.BlobHash;
import dev.varve.Payload;

/// A chunk or a list of chunks on its way into a store.
///
/// @param hash of `bytes`
public record PendingChunk(BlobHash hash, Payload bytes) {}
