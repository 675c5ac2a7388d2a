// SPDX-License-Identifier: Apache-2.0
package dev.varve.local;

import dev.varve.ErasePlan;
import dev.varve.ErasedBlob.Cause;
import dev.varve.journal.StorePosition;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;

/// The records of a pack that an erasure takes out, by their ordinals, and why.
///
/// @param position where the store stood; the selection holds for no other
/// @param going records of blobs that go
/// @param stale records that are superseded and go with them
/// @param causes the blobs that each cause chose, some of which may stay
record ErasureSelection(
    StorePosition position, BitSet going, BitSet stale, Map<Cause, BitSet> causes, ErasePlan plan) {

  static Map<Cause, BitSet> noCauses() {
    Map<Cause, BitSet> causes = new EnumMap<>(Cause.class);
    for (Cause cause : Cause.values()) {
      causes.put(cause, new BitSet());
    }
    return causes;
  }

  /// The weightiest cause for a blob that goes.
  static Cause cause(Map<Cause, BitSet> causes, int ordinal) {
    Cause found = Cause.CONTEXT;
    for (Map.Entry<Cause, BitSet> each : causes.entrySet()) {
      if (each.getValue().get(ordinal)) {
        found = each.getKey(); // in the order of the enum, the last counts
      }
    }
    return found;
  }

  boolean stays(int ordinal) {
    return !going.get(ordinal) && !stale.get(ordinal);
  }
}
