// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import dev.varve.BlobHash;
import dev.varve.Payload;
import dev.varve.TurnId;
import dev.varve.hash.Blake3;
import dev.varve.imports.LineReader;
import dev.varve.imports.ProblemList;
import dev.varve.imports.RecordCounts;
import dev.varve.imports.TurnPlacement;
import dev.varve.pi.session.EntryId;
import dev.varve.pi.session.LinePiece;
import dev.varve.pi.session.SessionRecord;
import dev.varve.pi.session.SessionTitle;
import java.io.IOException;
import java.util.Arrays;

/// The second pass over a session file: each entry becomes a turn, and the segments of the manifest
/// are gathered.
final class SecondPass {

  private final EntryIds ids;
  private final boolean chained;
  private final EntryTurns turns;
  private final SegmentList segments;
  private final ProblemList problems;

  private TurnId last = TurnId.NONE;
  private long lines;
  private long records;
  private long bookkeeping;
  private long unreadable;

  SecondPass(FirstPass firstPass, EntryTurns turns, SegmentList segments, ProblemList problems) {
    this.ids = firstPass.ids();
    this.chained = firstPass.version() == 1; // whose entries have no ids and follow one another
    this.turns = turns;
    this.segments = segments;
    this.problems = problems;
  }

  /// Reads the file to its end.
  void read(LineReader source) throws IOException {
    while (source.next()) {
      boolean starts = source.number() > lines;
      lines = source.number();
      if (source.whole()) {
        line(source);
      } else {
        if (starts) {
          records++;
          unreadable++;
          problems.add(lines, "longer than a turn may be; kept as bytes");
        }
        segments.bytes(source.buffer(), source.from(), source.to(), source.ended());
      }
    }
    turns.finish();
  }

  private void line(LineReader source) {
    for (LinePiece piece : LinePiece.of(source.buffer(), source.from(), source.to())) {
      records++;
      boolean ended = piece.to() == source.to() && source.ended();
      if (piece.record() instanceof SessionRecord.Entry entry && (entry.id() != null || chained)) {
        if (piece.from() > source.from()) {
          int at = piece.from() - source.from();
          problems.add(lines, "a whole entry stands behind " + at + " other bytes; it was taken");
        }
        entry(entry, source.buffer(), piece, ended);
      } else {
        if (piece.record() instanceof SessionRecord.Damaged(String why)) {
          unreadable++;
          int size = piece.to() - piece.from();
          problems.add(lines, size + " bytes are no entry: " + why);
        } else {
          bookkeeping++;
        }
        segments.bytes(source.buffer(), piece.from(), piece.to(), ended);
      }
    }
  }

  private void entry(SessionRecord.Entry entry, byte[] buffer, LinePiece piece, boolean ended) {
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
            lines,
            "its parent " + SessionTitle.brief(entry.parentId()) + " is not here; made a root");
      } else {
        parent = new TurnId(known);
      }
    }
    BlobHash hash = Blake3.hash(buffer, piece.from(), piece.to() - piece.from());
    last = turns.place(entry, parent, hash, () -> copy(buffer, piece), lines);
    segments.turn(last.value(), ended);
  }

  private static Payload copy(byte[] buffer, LinePiece piece) {
    return Payload.wrap(Arrays.copyOfRange(buffer, piece.from(), piece.to()));
  }

  /// The records of the file, once it is read.
  RecordCounts counts(TurnPlacement placement) {
    return new RecordCounts(
        records,
        placement.added(),
        placement.shared(),
        bookkeeping,
        placement.repeated(),
        unreadable);
  }
}
