// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.value;

/// How far a payload is taken apart before it is refused.
///
/// A value costs some 50 bytes of heap, so the number of values bounds what a payload of one-byte
/// values may take.
///
/// @param depth the deepest nesting of arrays and maps
/// @param values the most values, keys included
/// @param sizeBytes the largest payload
public record Bounds(int depth, int values, int sizeBytes) {

  /// 128 levels, a million values, 64 MiB.
  public static final Bounds DEFAULTS = new Bounds(128, 1_000_000, 64 << 20);

  public Bounds {
    if (depth < 1 || depth > 256 || values < 1 || sizeBytes < 1) {
      throw new IllegalArgumentException("bounds: " + depth + ", " + values + ", " + sizeBytes);
    }
  }
}
