// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.secrets;

import dev.varve.pi.session.SessionReader;
import dev.varve.pi.session.SessionRecord;
import dev.varve.secrets.DocumentPlace;
import java.nio.charset.StandardCharsets;

/// The bytes of a piece of a session as Pi reads them: in an entry that is not valid UTF-8 the
/// wrong bytes are replaced.
@SuppressWarnings("ArrayRecordComponent") // never compared
record PieceText(byte[] bytes, int from, int to) {

  static PieceText of(SessionReader piece) {
    if (piece.record() instanceof SessionRecord.Entry entry && !entry.utf8()) {
      String text =
          new String(piece.bytes(), piece.from(), piece.sizeBytes(), StandardCharsets.UTF_8);
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return new PieceText(bytes, 0, bytes.length);
    }
    return new PieceText(piece.bytes(), piece.from(), piece.to());
  }

  /// The place of a piece in the session with the identifier `session`.
  static DocumentPlace place(String session, SessionReader piece) {
    String id = piece.record() instanceof SessionRecord.Entry entry ? entry.id() : null;
    return new DocumentPlace(session, piece.line(), id == null ? "" : id);
  }
}
