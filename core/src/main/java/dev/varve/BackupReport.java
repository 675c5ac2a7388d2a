// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Outcome of a backup of a store.
///
/// @param storeId the store's identity, and the backup's
/// @param copiedBytes how many bytes the backup lacked
/// @param totalBytes how many bytes of records the backup has now
/// @param mendedBytes in how many bytes the backup was damaged and was given the store's, which
///   were not
/// @param turns how many turns the backup has now
/// @param blobs how many different blobs the backup has now
/// @param newest the turn with the greatest number, null if there is none
/// @param problems damage of the store's files that was met, and of the backup's where it could not
///   be mended; empty when everything that was read is as it was written
public record BackupReport(
    UUID storeId,
    long copiedBytes,
    long totalBytes,
    long mendedBytes,
    long turns,
    long blobs,
    CheckReport.@Nullable NewestTurn newest,
    List<CheckReport.Problem> problems) {

  public BackupReport {
    problems = List.copyOf(problems);
  }

  public boolean sound() {
    return problems.isEmpty();
  }
}
