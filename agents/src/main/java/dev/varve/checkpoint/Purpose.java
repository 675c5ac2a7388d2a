// SPDX-License-Identifier: Apache-2.0
package dev.varve.checkpoint;

import org.jspecify.annotations.Nullable;

/// What a snapshot is taken for.
///
/// @param note what is to be said about it
/// @param always whether a new snapshot is wanted even if nothing changed
/// @param keep false for a look: the snapshot is not listed, and not the last one
/// @param same a snapshot that will do if it is equal
public record Purpose(String note, boolean always, boolean keep, @Nullable Snapshot same) {

  /// To compare with.
  public static final Purpose LOOK = new Purpose("", false, false, null);

  static Purpose keeping(String note) {
    return new Purpose(note, !note.isEmpty(), true, null);
  }
}
