// SPDX-License-Identifier: Apache-2.0
package dev.varve.jp;

import dev.varve.jp.blobs.BlobFolder;
import dev.varve.jp.place.ConversationCopy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of rewriting one copy of a conversation.
///
/// @param payloads the payloads that changed their form
/// @param blobs the blobs that were written for the payloads, were present already, or were healed
/// @param references the number of references before the rewriting
/// @param refusal the reason for leaving the file alone, with line and column where there are any;
///   null if the file was not left alone
public record CopyReport(
    ConversationCopy copy,
    Outcome outcome,
    Payloads payloads,
    BlobFolder.Put blobs,
    int references,
    long sizeBytesBefore,
    long sizeBytesAfter,
    List<EventProblem> problems,
    @Nullable String refusal) {

  /// The payloads that changed their form.
  ///
  /// @param contentBytes the size of their contents, 0 where it is not known
  /// @param urlSafe the number of payloads in URL-safe base64, which earlier versions of JP wrote
  public record Payloads(int count, long contentBytes, int urlSafe) {}

  /// The change that was made to the file.
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

  /// Returns whether everything that was to be done is done.
  public boolean isWhole() {
    return (outcome == Outcome.CHANGED || outcome == Outcome.UNCHANGED) && problems.isEmpty();
  }

  static CopyReport refused(ConversationCopy copy, Outcome outcome, String why) {
    return new CopyReport(
        copy, outcome, new Payloads(0, 0, 0), BlobFolder.Put.NONE, 0, 0, 0, List.of(), why);
  }
}
