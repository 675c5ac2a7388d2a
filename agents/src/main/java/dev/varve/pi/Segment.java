// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi;

import dev.varve.BlobHash;
import dev.varve.Payload;

/// A stretch of a session file, as its manifest tells it (docs/format/pi-manifest.md).
sealed interface Segment {

  /// `count` turns with consecutive numbers, each followed by a line feed.
  record Lines(long first, long count) implements Segment {}

  /// A turn that no line feed follows.
  record Unended(long turn) implements Segment {}

  /// Bytes that are no entry, at most [Manifest#INLINE_BYTES_MAX].
  record Inline(Payload bytes) implements Segment {}

  /// Bytes that are no entry, kept as a blob.
  record Kept(BlobHash blob, int sizeBytes) implements Segment {}
}
