// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.session;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A line of a session file, as it was recognised.
public sealed interface SessionRecord {

  /// The session's first line.
  ///
  /// @param version 1 if the line names none, as Pi's first format did; 0 if it is no number
  record Header(
      String id,
      int version,
      String cwd,
      @Nullable String timestamp,
      @Nullable String parentSession)
      implements SessionRecord {

    /// The time in the line; empty if the line has no time that a turn can have.
    public Optional<Instant> createdAt() {
      return time(timestamp);
    }
  }

  /// An entry of the tree.
  ///
  /// @param id null in sessions of version 1, whose entries follow one another
  /// @param parentId null for a root
  /// @param parentNamed whether the line has a `parentId` at all
  /// @param timestamp when it came about, as the line says
  /// @param name of the session, if the entry gives it one
  /// @param utf8 whether the line is text; if not, it was read with its wrong bytes replaced
  /// @param end where the object ends in the buffer
  record Entry(
      String type,
      @Nullable String id,
      @Nullable String parentId,
      boolean parentNamed,
      @Nullable String timestamp,
      @Nullable String name,
      boolean utf8,
      int end)
      implements SessionRecord {

    /// The time in the line; empty if the line has no time that a turn can have.
    public Optional<Instant> createdAt() {
      return time(timestamp);
    }
  }

  private static Optional<Instant> time(@Nullable String timestamp) {
    if (timestamp == null) {
      return Optional.empty();
    }
    try {
      Instant time = Instant.parse(timestamp);
      return time.isBefore(Instant.EPOCH) ? Optional.empty() : Optional.of(time);
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /// White space.
  record Blank() implements SessionRecord {}

  /// JSON, but neither a header nor an entry.
  record Foreign() implements SessionRecord {}

  /// Not JSON.
  record Damaged(String why) implements SessionRecord {}
}
