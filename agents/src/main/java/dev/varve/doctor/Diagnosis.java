// SPDX-License-Identifier: Apache-2.0
package dev.varve.doctor;

import dev.varve.BlobHash;
import dev.varve.doctor.Ailment.Severity;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// What an examination found.
///
/// @param hash of the file's bytes, as they were read
/// @param counts how often each ailment was met
/// @param findings in the file's order; of each ailment the first [#KEPT_MAX]
/// @param plan what a repair is to do
public record Diagnosis(
    Path file,
    long sizeBytes,
    BlobHash hash,
    int entries,
    Map<Ailment, Long> counts,
    List<Finding> findings,
    RepairPlan plan) {

  /// How many findings of one ailment are kept.
  public static final int KEPT_MAX = 100;

  /// Whether nothing is worse than a note.
  public boolean healthy() {
    return counts.keySet().stream().allMatch(ailment -> ailment.severity() == Severity.NOTE);
  }

  /// Whether there is anything of which a repaired copy could be made.
  public boolean repairable() {
    return !counts.containsKey(Ailment.NOT_A_SESSION) && !counts.containsKey(Ailment.EMPTY);
  }
}
