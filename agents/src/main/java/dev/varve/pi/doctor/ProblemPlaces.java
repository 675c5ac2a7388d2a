// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Counts findings and keeps the first of each kind.
final class ProblemPlaces {

  private final Map<SessionProblem, Long> counts = new EnumMap<>(SessionProblem.class);
  private final List<ProblemPlace> kept = new ArrayList<>();

  void add(SessionProblem problem, long line, long offset, long sizeBytes, String detail) {
    long count = counts.merge(problem, 1L, Long::sum);
    if (count <= SessionDiagnosis.KEPT_MAX) {
      kept.add(new ProblemPlace(problem, line, offset, sizeBytes, detail));
    }
  }

  /// Of the whole file.
  void add(SessionProblem problem, String detail) {
    add(problem, 0, 0, 0, detail);
  }

  Map<SessionProblem, Long> counts() {
    return Map.copyOf(counts);
  }

  List<ProblemPlace> kept() {
    return kept.stream().sorted(Comparator.comparingLong(ProblemPlace::offset)).toList();
  }
}
