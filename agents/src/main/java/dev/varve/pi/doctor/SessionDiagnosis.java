// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

import dev.varve.BlobHash;
import dev.varve.pi.doctor.SessionProblem.Severity;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// The result of an examination.
///
/// @param hash of the file's bytes, as they were read
/// @param counts how often each problem was met
/// @param findings in the file's order; of each problem the first [#KEPT_MAX]
/// @param plan what a repair is to do
public record SessionDiagnosis(
    Path file,
    long sizeBytes,
    BlobHash hash,
    int entries,
    Map<SessionProblem, Long> counts,
    List<ProblemPlace> findings,
    RepairPlan plan) {

  /// The largest number of places that are kept of one problem.
  public static final int KEPT_MAX = 100;

  /// True if no problem is worse than a note.
  public boolean healthy() {
    return counts.keySet().stream().allMatch(problem -> problem.severity() == Severity.NOTE);
  }

  /// True if the file holds anything from which a repaired copy can be made.
  public boolean repairable() {
    return !counts.containsKey(SessionProblem.NOT_A_SESSION)
        && !counts.containsKey(SessionProblem.EMPTY);
  }
}
