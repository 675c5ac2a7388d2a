// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.jp.place.Copy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What became of one copy of a conversation.
///
/// @param payloads how many changed their form
/// @param contentBytes their size, all together
/// @param blobsNew how many blobs were written for them, and how many were there already or were
///   healed
/// @param references how many there were before
/// @param urlSafe how many of the payloads were in the URL-safe base64 of old
/// @param refusal why the file was left alone, with line and column where there are any; null if it
///   was not
public record CopyReport(
    Copy copy,
    Outcome outcome,
    int payloads,
    long contentBytes,
    int blobsNew,
    int blobsPresent,
    int blobsHealed,
    int references,
    int urlSafe,
    long sizeBytesBefore,
    long sizeBytesAfter,
    List<Problem> problems,
    @Nullable String refusal) {

  /// What was done to the file.
  public enum Outcome {
    CHANGED,
    /// There was nothing to do; not a byte and not a time was touched.
    UNCHANGED,
    /// JP, or another process, has the conversation open.
    LOCKED,
    /// Not strict JSON; untouched.
    NOT_JSON,
    /// Could not be read or written, or was written by somebody meanwhile; untouched.
    FAILED
  }

  public CopyReport {
    problems = List.copyOf(problems);
  }

  /// Whether everything that was to be done is done.
  public boolean isWhole() {
    return (outcome == Outcome.CHANGED || outcome == Outcome.UNCHANGED) && problems.isEmpty();
  }

  static CopyReport refused(Copy copy, Outcome outcome, String why) {
    return new CopyReport(copy, outcome, 0, 0, 0, 0, 0, 0, 0, 0, 0, List.of(), why);
  }
}
