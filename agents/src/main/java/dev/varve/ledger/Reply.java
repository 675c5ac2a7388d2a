// SPDX-License-Identifier: Apache-2.0
package dev.varve.ledger;

import dev.varve.checkpoint.Snapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What whoever runs a session is to do and to show.
///
/// @param append entries that are to be added to the session now, in their order
/// @param notices what people should know
/// @param snapshot the snapshot that was taken, or an equal one that was there; null if none was
///   wanted or none could be taken
public record Reply(List<Appended> append, List<Notice> notices, @Nullable Snapshot snapshot) {

  public Reply {
    append = List.copyOf(append);
    notices = List.copyOf(notices);
  }

  /// Nothing is to be done.
  public static final Reply NOTHING = new Reply(List.of(), List.of(), null);

  static Reply of(Snapshot snapshot, Mark... marks) {
    return new Reply(List.of(marks).stream().map(Appended::of).toList(), List.of(), snapshot);
  }

  /// A `custom` entry.
  ///
  /// @param data JSON
  public record Appended(String customType, String data) {
    static Appended of(Mark mark) {
      return new Appended(mark.type(), MarkWriter.json(mark));
    }
  }

  /// A sentence for people.
  public record Notice(Level level, String text) {}

  /// How much a notice matters.
  public enum Level {
    INFO,
    WARNING,
    ERROR
  }
}
