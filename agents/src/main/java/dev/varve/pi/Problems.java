// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi;

import java.util.ArrayList;
import java.util.List;

/// Counts problems and keeps the first ones.
final class Problems {

  private final List<ImportReport.Problem> first = new ArrayList<>();
  private long count;

  void add(long line, String what) {
    if (first.size() < ImportReport.PROBLEMS_MAX) {
      first.add(new ImportReport.Problem(line, what));
    }
    count++;
  }

  long count() {
    return count;
  }

  List<ImportReport.Problem> first() {
    return first;
  }
}
