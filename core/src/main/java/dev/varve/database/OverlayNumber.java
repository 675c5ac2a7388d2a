// SPDX-License-Identifier: Apache-2.0
package dev.varve.database;

import dev.varve.Overlay;
import dev.varve.StoreException;

/// The numbers of the kinds of overlays in a table.
public final class OverlayNumber {

  private OverlayNumber() {}

  public static int of(Overlay.Kind kind) {
    return switch (kind) {
      case PATCH -> 0;
      case TOMBSTONE -> 1;
      case FS_ROOT -> 2;
    };
  }

  /// The kind with a number.
  ///
  /// @throws StoreException.Corrupt if no kind has the number
  public static Overlay.Kind kind(int number) {
    return switch (number) {
      case 0 -> Overlay.Kind.PATCH;
      case 1 -> Overlay.Kind.TOMBSTONE;
      case 2 -> Overlay.Kind.FS_ROOT;
      default ->
          throw new StoreException.Corrupt("table overlay", 0, "kind 0, 1 or 2", "kind " + number);
    };
  }
}
