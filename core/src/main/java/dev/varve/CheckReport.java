// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Outcome of a full reading of a store.
///
/// @param blobs how many blob records were read and verified
/// @param newest the turn with the greatest number, null if there is none: what a backup is
///   compared by
/// @param problems empty when everything is as it was written
public record CheckReport(
    long blobs,
    long turns,
    long contexts,
    long overlays,
    @Nullable NewestTurn newest,
    List<Problem> problems) {

  public CheckReport {
    problems = List.copyOf(problems);
  }

  public boolean sound() {
    return problems.isEmpty();
  }

  /// The turn with the greatest number.
  public record NewestTurn(TurnId id, Instant createdAt) {}

  /// One thing that is not as it should be.
  ///
  /// @param file name of the file within the store
  /// @param offset byte in it
  /// @param what expected and found, in one line
  /// @param derived whether the file can be rebuilt from the others, so that nothing is lost
  public record Problem(String file, long offset, String what, boolean derived) {}
}
