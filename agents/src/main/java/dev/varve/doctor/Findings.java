// SPDX-License-Identifier: Apache-2.0
package dev.varve.doctor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Counts findings and keeps the first of each kind.
final class Findings {

  private final Map<Ailment, Long> counts = new EnumMap<>(Ailment.class);
  private final List<Finding> kept = new ArrayList<>();

  void add(Ailment ailment, long line, long offset, long sizeBytes, String detail) {
    long count = counts.merge(ailment, 1L, Long::sum);
    if (count <= Diagnosis.KEPT_MAX) {
      kept.add(new Finding(ailment, line, offset, sizeBytes, detail));
    }
  }

  /// Of the whole file.
  void add(Ailment ailment, String detail) {
    add(ailment, 0, 0, 0, detail);
  }

  Map<Ailment, Long> counts() {
    return Map.copyOf(counts);
  }

  List<Finding> kept() {
    return kept.stream().sorted(Comparator.comparingLong(Finding::offset)).toList();
  }
}
