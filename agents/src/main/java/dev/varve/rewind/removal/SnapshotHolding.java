// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.removal;

import java.util.Map;
import java.util.Set;

/// The snapshots in one git folder that an erasure is about.
///
/// @param kept snapshots that are listed
/// @param unkept snapshots that were let go, and that git has not collected yet
/// @param objects the objects that have the content themselves, each with a path under which a
///   snapshot has the object; the path of what a snapshot says of itself is empty
/// @param users the objects among these that commits of the user have too, with a place for people
/// @param incomplete whether an object of a snapshot could not be read
/// @param begun whether a removal broke off here
public record SnapshotHolding(
    Set<String> kept,
    Set<String> unkept,
    Map<String, String> objects,
    Map<String, String> users,
    boolean incomplete,
    boolean begun) {

  public SnapshotHolding {
    kept = Set.copyOf(kept);
    unkept = Set.copyOf(unkept);
    objects = Map.copyOf(objects);
    users = Map.copyOf(users);
  }

  /// Returns whether there is nothing to remove.
  public boolean isEmpty() {
    return kept.isEmpty() && unkept.isEmpty() && !begun;
  }
}
