// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import java.util.ArrayList;
import java.util.List;

/// Collects the problems of one import: counts all of them and keeps the first.
public final class ProblemList {

  private final List<ImportProblem> first = new ArrayList<>();
  private long count;

  /// Adds a problem of a source that is one file.
  public void add(long position, String what) {
    add("", position, what);
  }

  public void add(String place, long position, String what) {
    if (first.size() < ProblemSummary.FIRST_MAX) {
      first.add(new ImportProblem(place, position, what));
    }
    count++;
  }

  public ProblemSummary summary() {
    return new ProblemSummary(count, first);
  }
}
