// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.chunk.ChunkSizes;
import dev.varve.disk.FileGrowth;
import dev.varve.journal.Journal;

/// The sizes of a store's parts, which tests make small.
///
/// @param inPlaceBytes a commit with more bytes of blob records forces the records where they
///   belong, instead of writing them into the journal as well
/// @param chunks how large blobs are cut; anything but the default is another format
public record StoreGeometry(
    FileGrowth growth, Journal.Sizes journal, int inPlaceBytes, ChunkSizes chunks) {

  public static final StoreGeometry DEFAULTS =
      new StoreGeometry(FileGrowth.DEFAULTS, Journal.Sizes.DEFAULTS, 512 << 10);

  /// The same geometry with the chunks of the format.
  public StoreGeometry(FileGrowth growth, Journal.Sizes journal, int inPlaceBytes) {
    this(growth, journal, inPlaceBytes, ChunkSizes.DEFAULTS);
  }
}
