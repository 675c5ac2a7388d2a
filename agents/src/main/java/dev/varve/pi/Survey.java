// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi;

import dev.varve.BlobHash;
import dev.varve.hash.Blake3;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The first reading of a session file: what it is called, what it hashes to, which ids it defines.
///
/// Only after it can an entry whose parent is not known yet be told from one whose parent stands
/// further down.
///
/// @param firstLine hash of the first line with its line feed, which stands for the id of a file
///   without a header
/// @param sizeBytes how many bytes there were
record Survey(
    SessionRecord.@Nullable Header header,
    BlobHash firstLine,
    long sizeBytes,
    BlobHash hash,
    String title,
    EntryIds ids) {

  static Survey of(Lines lines) throws IOException {
    Blake3 first = new Blake3();
    EntryIds ids = new EntryIds();
    Title title = new Title();
    SessionRecord.Header header = null;
    while (lines.next()) {
      byte[] buffer = lines.buffer();
      if (first.sizeBytes() == 0) {
        int lineFeed = lines.ended() ? 1 : 0; // it lies right behind the line
        first.update(buffer, lines.from(), lines.to() - lines.from() + lineFeed);
      }
      if (lines.whole()) {
        for (Piece piece : Piece.of(buffer, lines.from(), lines.to())) {
          switch (piece.record()) {
            case SessionRecord.Header h -> header = header == null ? h : header;
            case SessionRecord.Entry entry -> {
              if (entry.id() != null) {
                ids.declare(EntryId.of(entry.id()));
              }
              title.take(entry, buffer, piece.from(), piece.to());
            }
            case SessionRecord.Blank _, SessionRecord.Foreign _, SessionRecord.Damaged _ -> {}
          }
        }
      }
    }
    return new Survey(header, first.digest(), lines.sizeBytes(), lines.hash(), title.text(), ids);
  }

  SessionKey key(String fileName) {
    return header == null
        ? new SessionKey.Headless(firstLine, fileName)
        : SessionKey.headed(header, fileName);
  }

  /// The version that the header names; 0 without a header.
  int version() {
    return header == null ? 0 : header.version();
  }
}
