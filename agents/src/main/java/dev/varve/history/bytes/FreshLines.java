// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.bytes;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.hash.Blake3;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The first lines of a session that were archived a moment ago, as they are kept: who makes the
/// view of the session need not get them from the store, nor cut out the same members again.
public final class FreshLines {

  /// No lines, and no room for any.
  public static final FreshLines NONE = new FreshLines(0);

  /// The most bytes of lines.
  private static final int BYTES_MAX = 16 << 20;

  private final Map<BlobHash, Payload> lines = new HashMap<>();
  private final int bytesMax;
  private long sizeBytes;

  public FreshLines() {
    this(BYTES_MAX);
  }

  private FreshLines(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  /// Takes a line, if there is room.
  void add(Payload kept) {
    if (sizeBytes + kept.sizeBytes() <= bytesMax
        && lines.putIfAbsent(Blake3.hash(kept), kept) == null) {
      sizeBytes += kept.sizeBytes();
    }
  }

  /// The line with this hash; null if it is not among these.
  @Nullable Payload find(BlobHash kept) {
    return lines.get(kept);
  }
}
