// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import dev.varve.BlobHash;
import dev.varve.hash.Blake3;
import dev.varve.imports.LineReader;
import dev.varve.pi.session.EntryId;
import dev.varve.pi.session.LinePiece;
import dev.varve.pi.session.SessionKey;
import dev.varve.pi.session.SessionRecord;
import dev.varve.pi.session.SessionTitle;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The first pass over a session file: its header, its title, its hash, and the ids that it
/// defines.
///
/// Only with all ids known can the second pass distinguish an entry whose parent is missing from an
/// entry whose parent stands further down.
///
/// @param firstLine hash of the first line with its line feed. It identifies a file without a
///   header
/// @param understood whether the file is Pi's: it has an entry with an id and a `parentId`, or a
///   header behind which only entries of Pi, damage or nothing follows
record FirstPass(
    SessionRecord.@Nullable Header header,
    BlobHash firstLine,
    long sizeBytes,
    BlobHash hash,
    String title,
    EntryIds ids,
    boolean understood) {

  static FirstPass of(LineReader lines) throws IOException {
    Blake3 first = new Blake3();
    EntryIds ids = new EntryIds();
    SessionTitle title = new SessionTitle();
    SessionRecord.Header header = null;
    boolean understood = false;
    boolean foreign = false;
    while (lines.next()) {
      byte[] buffer = lines.buffer();
      if (first.sizeBytes() == 0) {
        int lineFeed = lines.ended() ? 1 : 0; // it lies right behind the line
        first.update(buffer, lines.from(), lines.to() - lines.from() + lineFeed);
      }
      if (lines.whole()) {
        for (LinePiece piece : LinePiece.of(buffer, lines.from(), lines.to())) {
          switch (piece.record()) {
            case SessionRecord.Header h -> {
              header = header == null ? h : header;
            }
            case SessionRecord.Entry entry -> {
              if (entry.id() != null) {
                ids.declare(EntryId.of(entry.id()));
              }
              understood |= entry.id() != null && entry.parentNamed();
              foreign |= entry.id() == null && (header == null || header.version() != 1);
              title.take(entry, buffer, piece.from(), piece.to());
            }
            case SessionRecord.Foreign _ -> foreign = true;
            case SessionRecord.Blank _, SessionRecord.Damaged _ -> {}
          }
        }
      }
    }
    return new FirstPass(
        header,
        first.digest(),
        lines.sizeBytes(),
        lines.hash(),
        title.text(),
        ids,
        understood || header != null && !foreign);
  }

  SessionKey key(String fileName) {
    return header == null
        ? new SessionKey.Headless(firstLine, fileName)
        : SessionKey.headed(header, fileName);
  }

  /// The version in the header; 0 without a header.
  int version() {
    return header == null ? 0 : header.version();
  }
}
