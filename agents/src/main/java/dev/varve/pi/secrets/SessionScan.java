// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.secrets;

import dev.varve.pi.session.SessionReader;
import dev.varve.pi.session.SessionRecord;
import dev.varve.secrets.AllowList;
import dev.varve.secrets.DocumentPlace;
import dev.varve.secrets.RuleSet;
import dev.varve.secrets.ScanReport;
import dev.varve.secrets.SecretFinding;
import dev.varve.secrets.SecretScan;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/// A search for credentials through all strings of a session.
public final class SessionScan {

  private final SecretScan scan;
  private String session = "";

  private SessionScan(SecretScan scan) {
    this.scan = scan;
  }

  /// Searches a session file.
  ///
  /// @param found receives each finding, in the file's order
  /// @param progress receives, now and then, the number of bytes that were read
  /// @throws dev.varve.StoreException.Io if the file cannot be read
  public static ScanReport of(
      Path file,
      RuleSet rules,
      AllowList allowed,
      Consumer<SecretFinding> found,
      LongConsumer progress) {
    return run(file, rules, allowed, (finding, _) -> found.accept(finding), progress);
  }

  /// @param found receives each finding and the credential itself
  static ScanReport run(
      Path file,
      RuleSet rules,
      AllowList allowed,
      BiConsumer<SecretFinding, String> found,
      LongConsumer progress) {
    SecretScan scan = new SecretScan(rules, allowed, new PiIdentifiers(), found);
    SessionScan session = new SessionScan(scan);
    try (SessionReader pieces = SessionReader.open(file, progress)) {
      while (pieces.next()) {
        session.piece(pieces);
      }
    }
    return scan.report();
  }

  private void piece(SessionReader piece) {
    boolean json = piece.whole();
    switch (piece.record()) {
      case SessionRecord.Header header -> session = session.isEmpty() ? header.id() : session;
      case SessionRecord.Entry _, SessionRecord.Foreign _ -> {}
      case SessionRecord.Blank _ -> {
        return;
      }
      case SessionRecord.Damaged _ -> json = false;
    }
    DocumentPlace place = PieceText.place(session, piece);
    PieceText text = PieceText.of(piece);
    if (!json || !scan.json(text.bytes(), text.from(), text.to(), place)) {
      scan.raw(
          piece.bytes(), piece.from(), piece.to(), new DocumentPlace(session, piece.line(), ""));
    }
  }
}
