// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.sweep;

import dev.varve.jp.blobs.StoredBlob;
import dev.varve.jp.blobs.StrayFile;
import dev.varve.jp.place.WorkspaceRoot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of sweeping one root.
///
/// @param why the obstacle, if the ending is not [Ending#DONE]
/// @param blobs the number of blobs
/// @param referenced the number of blobs to which a conversation refers
/// @param unreferenced all other blobs, each with its fate
/// @param odd files below `blobs/` that are not blobs and were left alone
public record SweepReport(
    WorkspaceRoot root,
    Ending ending,
    @Nullable String why,
    long blobs,
    long referenced,
    List<Candidate> unreferenced,
    List<StrayFile> odd,
    Tidying tidying,
    Reading reading) {

  /// The work on trash and drafts.
  ///
  /// @param restored the number of blobs that were referred to and came back from the trash
  /// @param drafts the number of removed files that writers had left behind
  /// @param emptiedBytes the size of the files that were deleted for good
  public record Tidying(long restored, long drafts, long emptiedBytes) {}

  /// The reading of conversations.
  ///
  /// @param remarks files that are not JSON, and other peculiarities
  public record Reading(long files, long sizeBytes, List<String> remarks) {

    public Reading {
      remarks = List.copyOf(remarks);
    }
  }

  /// The end of a sweep.
  public enum Ending {
    DONE,
    /// Somebody, or the clock, said stop.
    STOPPED,
    /// References could not be read, so nothing was removed.
    BLOCKED,
    /// Somebody writes references just now, so nothing was removed.
    BUSY
  }

  /// The fate of a blob that no conversation refers to.
  public enum Fate {
    REMOVED,
    /// A dry run would have removed it.
    REMOVABLE,
    /// Written or used within the grace time.
    YOUNG,
    /// Git still needs it.
    KEPT_FOR_GIT,
    /// Referred to, or used, while the sweep was on its way.
    WANTED_AGAIN,
    /// The sweep ended before it came to it.
    LEFT
  }

  /// @param why for [Fate#KEPT_FOR_GIT], where it is needed; else empty
  public record Candidate(StoredBlob blob, Fate fate, String why) {}

  public SweepReport {
    unreferenced = List.copyOf(unreferenced);
    odd = List.copyOf(odd);
  }

  public long count(Fate fate) {
    return unreferenced.stream().filter(candidate -> candidate.fate == fate).count();
  }

  /// The size of the files with that fate.
  public long bytes(Fate fate) {
    return unreferenced.stream()
        .filter(candidate -> candidate.fate == fate)
        .mapToLong(candidate -> candidate.blob.state().sizeBytes())
        .sum();
  }
}
