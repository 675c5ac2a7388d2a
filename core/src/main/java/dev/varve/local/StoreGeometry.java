// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.chunk.ChunkSizes;
import dev.varve.disk.FileGrowth;
import dev.varve.journal.Journal;

/// Sizes of a store's parts, which tests make small.
///
/// @param inPlaceBytes a commit with more record bytes than this forces them where they belong
///   instead of writing them into the journal as well
/// @param chunks how large blobs are cut; anything but the default is another format
public record StoreGeometry(
    FileGrowth growth, Journal.Sizes journal, int inPlaceBytes, ChunkSizes chunks) {

  public static final StoreGeometry DEFAULTS =
      new StoreGeometry(FileGrowth.DEFAULTS, Journal.Sizes.DEFAULTS, 512 << 10);

  /// With the format's chunks.
  public StoreGeometry(FileGrowth growth, Journal.Sizes journal, int inPlaceBytes) {
    this(growth, journal, inPlaceBytes, ChunkSizes.DEFAULTS);
  }
}
