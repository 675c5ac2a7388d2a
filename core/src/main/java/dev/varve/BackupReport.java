// SPDX-License-Identifier: Apache-2.0
package dev.varve;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The outcome of a backup of a store.
///
/// @param storeId the store's identity, and the backup's
/// @param copiedBytes the number of bytes that the backup lacked
/// @param totalBytes the number of bytes of records that the backup has now
/// @param mendedBytes the number of damaged bytes of the backup that were replaced by undamaged
///   bytes of the store
/// @param turns the number of turns that the backup has now
/// @param blobs the number of different blobs that the backup has now
/// @param newest the turn with the greatest number, null if there is none
/// @param problems the damage that was found in the store's files, and in the backup's files where
///   it could not be repaired; empty if everything that was read is as it was written
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
