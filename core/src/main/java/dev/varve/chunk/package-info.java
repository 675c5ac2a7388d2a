// SPDX-License-Identifier: Apache-2.0
/// Large blobs as chunks: where content is cut ([ContentChunker]), the lists that hold chunks
/// together ([ChunkList]), and the two ways through them, in ([ChunkedPut]) and out
/// ([ChunkedStream]).
///
/// Sees hashes and bytes, no files and no store: a chunk is asked for by its hash, wherever it is
/// kept.
///
/// Page: `docs/format/chunk-lists.md`.
@NullMarked
package dev.varve.chunk;

import org.jspecify.annotations.NullMarked;
