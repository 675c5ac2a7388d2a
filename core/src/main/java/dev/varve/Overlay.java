// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import org.jspecify.annotations.Nullable;

/// A later statement about a turn that leaves the turn itself unchanged (spec 001, *Patch*).
///
/// @param seq rises by one with each overlay of the store, starting at 1
/// @param blob the new payload, the file tree's root, or null for a tombstone
public record Overlay(long seq, TurnId target, Kind kind, @Nullable BlobHash blob) {

  /// The change that an overlay makes.
  public enum Kind {
    /// The payload is now another blob. Undoes an earlier tombstone.
    PATCH,
    /// The turn counts as deleted.
    TOMBSTONE,
    /// The turn's file tree has this root.
    FS_ROOT
  }
}
