// SPDX-License-Identifier: Apache-2.0
package dev.varve.rewind.pi;

import dev.varve.rewind.Snapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The reply to the program that runs a session: what it is to append and to show.
///
/// @param append entries that are to be added to the session now, in their order
/// @param notices what people should know
/// @param snapshot the snapshot that was taken, or an equal one that was there; null if none was
///   wanted or none could be taken
public record SessionReply(
    List<Appended> append, List<Notice> notices, @Nullable Snapshot snapshot) {

  public SessionReply {
    append = List.copyOf(append);
    notices = List.copyOf(notices);
  }

  /// Nothing is to be done.
  public static final SessionReply NOTHING = new SessionReply(List.of(), List.of(), null);

  static SessionReply of(Snapshot snapshot, SessionMark... marks) {
    return new SessionReply(
        List.of(marks).stream().map(Appended::of).toList(), List.of(), snapshot);
  }

  /// A `custom` entry.
  ///
  /// @param data JSON
  public record Appended(String customType, String data) {
    static Appended of(SessionMark mark) {
      return new Appended(mark.type(), MarkWriter.json(mark));
    }
  }

  /// A sentence for people.
  public record Notice(Level level, String text) {}

  /// The importance of a notice.
  public enum Level {
    INFO,
    WARNING,
    ERROR
  }
}
