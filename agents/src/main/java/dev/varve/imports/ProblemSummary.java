// SPDX-License-Identifier: Apache-2.0
package dev.varve.imports;

import java.util.List;

/// The problems of one import.
///
/// @param count how many there were
/// @param first the first [#FIRST_MAX] of them
public record ProblemSummary(long count, List<ImportProblem> first) {

  /// The most problems that are described one by one.
  public static final int FIRST_MAX = 100;

  public static final ProblemSummary NONE = new ProblemSummary(0, List.of());

  public ProblemSummary {
    first = List.copyOf(first);
  }

  /// One problem that concerns the whole source.
  public static ProblemSummary of(String what) {
    return new ProblemSummary(1, List.of(new ImportProblem("", ImportProblem.WHOLE, what)));
  }
}
