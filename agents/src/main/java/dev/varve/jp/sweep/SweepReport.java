// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp.sweep;

import dev.varve.jp.blobs.Odd;
import dev.varve.jp.blobs.StoredBlob;
import dev.varve.jp.place.Root;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a sweep of one root did.
///
/// @param why what stood in the way, if the ending is no [Ending#DONE]
/// @param blobs how many there were
/// @param referenced how many of them a conversation refers to
/// @param unreferenced the others, each with what became of it
/// @param restored how many were referred to and came back from the trash
/// @param drafts files that writers had left behind and that were removed
/// @param emptiedBytes what the oldest trash gave back
/// @param remarks files that are no JSON, and the like
/// @param odd what lies below `blobs/` and is no blob; left alone
/// @param conversationFiles how many were read, `readBytes` how much
public record SweepReport(
    Root root,
    Ending ending,
    @Nullable String why,
    long blobs,
    long referenced,
    List<Candidate> unreferenced,
    long restored,
    long drafts,
    long emptiedBytes,
    List<String> remarks,
    List<Odd> odd,
    long conversationFiles,
    long readBytes) {

  /// How it ended.
  public enum Ending {
    DONE,
    /// Somebody, or the clock, said stop.
    STOPPED,
    /// References could not be read, so nothing was removed.
    BLOCKED,
    /// Somebody writes references just now, so nothing was removed.
    BUSY
  }

  /// What became of a blob that no conversation of the root refers to.
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
    remarks = List.copyOf(remarks);
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
