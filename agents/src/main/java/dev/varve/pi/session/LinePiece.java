// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.session;

import java.util.ArrayList;
import java.util.List;

/// Part of a physical line: an entry, or bytes that are none.
///
/// Nearly always a line is one piece. A writer that was killed in mid-line, and another that went
/// on behind it, leave half a record and a whole one on a line; then the whole one is an entry all
/// the same, so that the entries that name it as their parent keep their place.
///
/// @param record what it is; [SessionRecord.Damaged] for the bytes between
public record LinePiece(SessionRecord record, int from, int to) {

  private static final byte[] RECORD_START = {'{', '"', 't', 'y', 'p', 'e', '"'};

  /// Bounds the work on one hostile line.
  private static final int TRIES_MAX = 64;

  public static List<LinePiece> of(byte[] bytes, int from, int to) {
    SessionRecord record = RecordParser.line(bytes, from, to);
    return record instanceof SessionRecord.Damaged damaged
        ? resync(damaged, bytes, from, to)
        : List.of(new LinePiece(record, from, to));
  }

  private static List<LinePiece> resync(
      SessionRecord.Damaged damaged, byte[] bytes, int from, int to) {
    List<LinePiece> pieces = new ArrayList<>();
    int kept = from;
    int at = from;
    for (int tries = 0; tries < TRIES_MAX && at < to; tries++) {
      if (startsRecord(bytes, at, to)
          && RecordParser.prefix(bytes, at, to) instanceof SessionRecord.Entry entry
          && entry.id() != null
          && entry.parentNamed()) { // which a tool call inside a torn message has not
        if (kept < at) {
          pieces.add(new LinePiece(damaged, kept, at));
        }
        pieces.add(new LinePiece(entry, at, entry.end()));
        kept = entry.end();
        at = kept;
        if (startsRecord(bytes, at, to)) {
          continue;
        }
      }
      at = nextStart(bytes, at + 1, to);
    }
    if (kept < to) {
      pieces.add(new LinePiece(damaged, kept, to));
    }
    return pieces;
  }

  private static int nextStart(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && !startsRecord(bytes, at, to)) {
      at++;
    }
    return at;
  }

  private static boolean startsRecord(byte[] bytes, int at, int to) {
    if (to - at < RECORD_START.length) {
      return false;
    }
    for (int i = 0; i < RECORD_START.length; i++) {
      if (bytes[at + i] != RECORD_START[i]) {
        return false;
      }
    }
    return true;
  }
}
