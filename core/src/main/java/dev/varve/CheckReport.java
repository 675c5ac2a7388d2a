// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import java.util.List;

/// What a full reading of a store found.
///
/// @param blobs how many blob records were read and verified
/// @param problems empty when everything is as it was written
public record CheckReport(
    long blobs, long turns, long contexts, long overlays, List<Problem> problems) {

  public CheckReport {
    problems = List.copyOf(problems);
  }

  public boolean sound() {
    return problems.isEmpty();
  }

  /// One thing that is not as it should be.
  ///
  /// @param file name of the file within the store
  /// @param offset byte in it
  /// @param what expected and found, in one line
  /// @param derived whether the file can be rebuilt from the others, so that nothing is lost
  public record Problem(String file, long offset, String what, boolean derived) {}
}
