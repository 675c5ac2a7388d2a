// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.removal;

import java.util.Map;
import java.util.Set;

/// The result of a removal of snapshots from one git folder.
///
/// @param snapshots the snapshots that are gone
/// @param objects the number of objects that are gone
/// @param gone the objects with the content, and the snapshots, that git has no more
/// @param staying the objects with the content that git still has, each with the reason
public record RemovedSnapshots(
    Set<String> snapshots, long objects, Set<String> gone, Map<String, String> staying) {

  public RemovedSnapshots {
    snapshots = Set.copyOf(snapshots);
    gone = Set.copyOf(gone);
    staying = Map.copyOf(staying);
  }
}
