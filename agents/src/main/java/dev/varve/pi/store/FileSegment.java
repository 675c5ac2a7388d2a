// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import dev.varve.BlobHash;
import dev.varve.Payload;

/// A stretch of a session file, as its manifest describes it (docs/format/pi-manifest.md).
sealed interface FileSegment {

  /// `count` turns with consecutive numbers, each followed by a line feed.
  record Lines(long first, long count) implements FileSegment {}

  /// A turn that no line feed follows.
  record Unended(long turn) implements FileSegment {}

  /// Bytes that are no entry, at most [SessionManifest#INLINE_BYTES_MAX].
  record Inline(Payload bytes) implements FileSegment {}

  /// Bytes that are no entry, kept as a blob.
  record Kept(BlobHash blob, int sizeBytes) implements FileSegment {}
}
