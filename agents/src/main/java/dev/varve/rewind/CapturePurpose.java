// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind;

import org.jspecify.annotations.Nullable;

/// The purpose of a capture.
///
/// @param note a text that is kept with the snapshot, may be empty
/// @param always whether a new snapshot is wanted even if nothing changed
/// @param keep false for a look: the snapshot is not listed, and not the last one
/// @param same a snapshot that is taken instead of a new one if it is equal; null for none
public record CapturePurpose(String note, boolean always, boolean keep, @Nullable Snapshot same) {

  /// The purpose of a capture that is only compared with snapshots.
  public static final CapturePurpose LOOK = new CapturePurpose("", false, false, null);

  static CapturePurpose keeping(String note) {
    return new CapturePurpose(note, !note.isEmpty(), true, null);
  }
}
