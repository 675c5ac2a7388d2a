// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The facts of a transcript as its records say them.
///
/// @param session the session's own id
/// @param title a title, or how the first prompt begins; may be empty
/// @param folder the folder that the session worked in; may be empty
/// @param link the session, or the place in one, that this one came from; may be empty
/// @param firstAt null if no record has a time
/// @param lastAt null if no record has a time
/// @param usage the usage objects, each with the key that counts it once
public record SessionFacts(
    String session,
    String title,
    String folder,
    String link,
    @Nullable Instant firstAt,
    @Nullable Instant lastAt,
    List<UsageEvidence> usage) {

  /// The facts of a transcript that says nothing.
  public static final SessionFacts NONE = new SessionFacts("", "", "", "", null, null, List.of());

  /// The facts that a reader collected while it read the records.
  ///
  /// @param usage each usage object once
  public static SessionFacts of(
      String session,
      TranscriptTitle title,
      String folder,
      String link,
      RecordTime time,
      Collection<UsageEvidence> usage) {
    return new SessionFacts(
        session, title.text(), folder, link, time.first(), time.last(), List.copyOf(usage));
  }

  public SessionFacts {
    usage = List.copyOf(usage);
  }
}
