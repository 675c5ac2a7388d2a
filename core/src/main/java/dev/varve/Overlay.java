// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import org.jspecify.annotations.Nullable;

/// A later word about a turn that leaves the turn itself as it is (spec 001, *Patch*).
///
/// @param seq rises by one with each overlay of the store, starting at 1
/// @param blob the new payload, the file tree's root, or null for a tombstone
public record Overlay(long seq, TurnId target, Kind kind, @Nullable BlobHash blob) {

  /// What an overlay says.
  public enum Kind {
    /// The payload is now another blob. Undoes an earlier tombstone.
    PATCH,
    /// The turn counts as deleted.
    TOMBSTONE,
    /// The turn's file tree has this root.
    FS_ROOT
  }
}
