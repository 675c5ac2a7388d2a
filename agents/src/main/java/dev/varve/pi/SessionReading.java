// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.TurnId;
import dev.varve.hash.Blake3;
import java.io.IOException;
import java.util.Arrays;

/// The second reading of a session file: each entry becomes a turn, and the manifest's segments are
/// gathered.
final class SessionReading {

  private final EntryIds ids;
  private final boolean chained;
  private final EntryTurns turns;
  private final Segments segments;
  private final Problems problems;

  private TurnId last = TurnId.NONE;
  private long lines;
  private long linesWithEntries;

  SessionReading(Survey survey, EntryTurns turns, Segments segments, Problems problems) {
    this.ids = survey.ids();
    this.chained = survey.version() == 1; // whose entries have no ids and follow one another
    this.turns = turns;
    this.segments = segments;
    this.problems = problems;
  }

  /// Reads all of it.
  void read(Lines source) throws IOException {
    while (source.next()) {
      boolean starts = source.number() > lines;
      lines = source.number();
      if (source.whole()) {
        line(source);
      } else {
        if (starts) {
          problems.add(lines, "longer than a turn may be; kept as bytes");
        }
        segments.bytes(source.buffer(), source.from(), source.to(), source.ended());
      }
    }
    turns.finish();
  }

  private void line(Lines source) {
    boolean hasEntry = false;
    for (Piece piece : Piece.of(source.buffer(), source.from(), source.to())) {
      boolean ended = piece.to() == source.to() && source.ended();
      if (piece.record() instanceof SessionRecord.Entry entry && (entry.id() != null || chained)) {
        if (piece.from() > source.from()) {
          int at = piece.from() - source.from();
          problems.add(lines, "a whole entry stands behind " + at + " other bytes; it was taken");
        }
        entry(entry, source.buffer(), piece, ended);
        hasEntry = true;
      } else {
        if (piece.record() instanceof SessionRecord.Damaged(String why)) {
          int size = piece.to() - piece.from();
          problems.add(lines, size + " bytes are no entry: " + why);
        }
        segments.bytes(source.buffer(), piece.from(), piece.to(), ended);
      }
    }
    if (hasEntry) {
      linesWithEntries++;
    }
  }

  private void entry(SessionRecord.Entry entry, byte[] buffer, Piece piece, boolean ended) {
    if (!entry.utf8()) {
      problems.add(lines, "an entry, but not all of it is UTF-8");
    }
    TurnId parent = TurnId.NONE;
    if (entry.id() == null) {
      parent = last;
    } else if (entry.parentId() != null) {
      EntryId id = EntryId.of(entry.parentId());
      long known = ids.turn(id);
      if (known == EntryIds.LATER) {
        turns.placeLater(entry, id, copy(buffer, piece), lines, segments.later(ended));
        return;
      }
      if (known == EntryIds.UNKNOWN) {
        problems.add(
            lines, "its parent " + Title.brief(entry.parentId()) + " is not here; made a root");
      } else {
        parent = new TurnId(known);
      }
    }
    BlobHash hash = Blake3.hash(buffer, piece.from(), piece.to() - piece.from());
    last = turns.place(entry, parent, hash, () -> copy(buffer, piece), lines);
    segments.turn(last.value(), ended);
  }

  private static Payload copy(byte[] buffer, Piece piece) {
    return Payload.wrap(Arrays.copyOfRange(buffer, piece.from(), piece.to()));
  }

  long lines() {
    return lines;
  }

  /// Lines that have no entry.
  long linesVerbatim() {
    return lines - linesWithEntries;
  }
}
