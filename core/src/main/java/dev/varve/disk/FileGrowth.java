// SPDX-License-Identifier: Apache-2.0
package dev.varve.disk;

/// Sizes of the steps in which an [AppendFile] grows and is mapped.
///
/// @param windowBytes how much one mapping covers; a power of two
/// @param stepMinBytes the least by which the file grows
/// @param stepMaxBytes the most by which it grows beyond what is asked; in between it grows by a
///   quarter of its size
public record FileGrowth(long windowBytes, long stepMinBytes, long stepMaxBytes) {

  /// Windows of 256 MiB, steps from 1 to 64 MiB.
  public static final FileGrowth DEFAULTS = new FileGrowth(256L << 20, 1L << 20, 64L << 20);

  public FileGrowth {
    if (windowBytes < 1 || Long.bitCount(windowBytes) != 1) {
      throw new IllegalArgumentException("window of " + windowBytes + " bytes");
    }
    if (stepMinBytes < 1 || stepMaxBytes < stepMinBytes) {
      throw new IllegalArgumentException("steps from " + stepMinBytes + " to " + stepMaxBytes);
    }
  }

  /// The size to give a file of `sizeBytes` so that it has at least `neededBytes`.
  long grown(long sizeBytes, long neededBytes) {
    return Math.max(neededBytes, sizeBytes + Math.clamp(sizeBytes / 4, stepMinBytes, stepMaxBytes));
  }
}
