// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

/// A point in another session's transcript.
///
/// @param key of the other session
/// @param endBytes the bytes of its transcript before the point
public record BasePoint(String key, long endBytes) {

  public BasePoint {
    if (endBytes < 0) {
      throw new IllegalArgumentException("a point before the beginning: " + endBytes);
    }
  }
}
