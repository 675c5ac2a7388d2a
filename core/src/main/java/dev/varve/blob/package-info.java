// SPDX-License-Identifier: Apache-2.0
/// Blobs on the disk: `blobs.pack`, `blobs.idx` and `blobs.map`, compression, and the cache of
/// decompressed blobs.
///
/// The only room that knows zstd. Pages: `docs/format/blobs-pack.md`, `docs/format/blobs-idx.md`.
///
/// One thread writes and publishes; readers take no lock, except for the cache's short ones.
@NullMarked
package dev.varve.blob;

import org.jspecify.annotations.NullMarked;
