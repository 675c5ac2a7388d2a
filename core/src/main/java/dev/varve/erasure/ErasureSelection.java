// SPDX-License-Identifier: Apache-2.0
package dev.varve.erasure;

import dev.varve.BlobHash;
import dev.varve.ErasePlan;
import dev.varve.ErasedBlob;
import dev.varve.ErasedBlob.Cause;
import dev.varve.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// The records of blobs that an erasure takes out, by their ordinals, and why. Made of one moment
/// of the store.
///
/// @param going records of blobs that go
/// @param stale records that are superseded and go with them
/// @param causes the blobs that each cause chose, some of which may stay
public record ErasureSelection(
    BitSet going, BitSet stale, Map<Cause, BitSet> causes, ErasePlan plan) {

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

  public boolean stays(int ordinal) {
    return !going.get(ordinal) && !stale.get(ordinal);
  }

  /// Refuses to go on with another plan than the one that somebody agreed to.
  ///
  /// @throws StoreException.Conflict if the plan has another digest
  public void requirePlan(BlobHash digest) {
    if (!plan.digest().equals(digest)) {
      throw new StoreException.Conflict(
          "erase", "the plan " + digest, "the plan " + plan.digest() + ", of the store as it is");
    }
  }

  /// The memory of the blobs that go. What was collected may come back.
  ///
  /// @param blobs the moment of which the selection was made
  /// @param run number of the erasure
  public List<ErasedBlob> erased(SurveyedBlobs blobs, Instant now, int run) {
    List<ErasedBlob> erased = new ArrayList<>();
    going.stream()
        .forEach(
            ordinal -> {
              SurveyedBlobs.Blob blob = blobs.blob(ordinal);
              Cause cause = cause(causes, ordinal);
              ErasedBlob memory = new ErasedBlob(blob.hash(), blob.rawBytes(), cause, now, run);
              erased.add(cause == Cause.COLLECTED ? memory.readmit() : memory);
            });
    return erased;
  }
}
