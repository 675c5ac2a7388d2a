// SPDX-License-Identifier: Apache-2.0
package dev.varve.server.value;

/// Bounds on the decoding of a payload.
///
/// A value costs about 50 bytes of heap, so the number of values bounds the memory of a payload
/// that consists of one-byte values.
///
/// @param depth the deepest nesting of arrays and maps
/// @param values the most values, including keys
/// @param sizeBytes the largest payload
public record ValueBounds(int depth, int values, int sizeBytes) {

  /// 128 levels, a million values, 64 MiB.
  public static final ValueBounds DEFAULTS = new ValueBounds(128, 1_000_000, 64 << 20);

  public ValueBounds {
    if (depth < 1 || depth > 256 || values < 1 || sizeBytes < 1) {
      throw new IllegalArgumentException("bounds: " + depth + ", " + values + ", " + sizeBytes);
    }
  }
}
