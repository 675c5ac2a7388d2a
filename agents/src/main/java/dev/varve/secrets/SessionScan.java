// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import dev.varve.pi.SessionReader;
import dev.varve.pi.SessionRecord;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// A look through all strings of a session.
public final class SessionScan {

  private final LeafScan leaves;
  private final BiConsumer<Sighting, String> found;
  private final Set<String> plain = new HashSet<>();
  private String session = "";
  private long strings;
  private long sightings;
  private long binaryStrings;
  private long binaryBytes;
  private long rawPieces;

  private SessionScan(LeafScan leaves, BiConsumer<Sighting, String> found) {
    this.leaves = leaves;
    this.found = found;
  }

  /// Looks through a session file.
  ///
  /// @param found is told each place, in the file's order
  /// @param progress is told, now and then, how many bytes were read
  /// @throws dev.varve.StoreException.Io if the file cannot be read
  public static ScanReport of(
      Path file,
      RuleSet rules,
      AllowList allowed,
      Consumer<Sighting> found,
      LongConsumer progress) {
    return run(file, rules, allowed, (sighting, _) -> found.accept(sighting), progress);
  }

  /// @param found is told the credentials too
  static ScanReport run(
      Path file,
      RuleSet rules,
      AllowList allowed,
      BiConsumer<Sighting, String> found,
      LongConsumer progress) {
    LeafScan leaves = new LeafScan(rules, allowed);
    SessionScan scan = new SessionScan(leaves, found);
    try (SessionReader pieces = SessionReader.open(file, progress)) {
      while (pieces.next()) {
        scan.piece(pieces);
      }
    }
    return new ScanReport(
        scan.strings,
        scan.sightings,
        leaves.allowedCount(),
        scan.binaryStrings,
        scan.binaryBytes,
        scan.rawPieces);
  }

  private void piece(SessionReader piece) {
    String entry = "";
    boolean json = piece.whole();
    switch (piece.record()) {
      case SessionRecord.Header header -> session = session.isEmpty() ? header.id() : session;
      case SessionRecord.Entry record -> entry = record.id() == null ? "" : record.id();
      case SessionRecord.Foreign _ -> {}
      case SessionRecord.Blank _ -> {
        return;
      }
      case SessionRecord.Damaged _ -> json = false;
    }
    if (!json || !strings(piece, entry)) {
      raw(piece);
    }
  }

  /// @return false if the piece turns out to be no JSON
  private boolean strings(SessionReader piece, String entry) {
    byte[] bytes = piece.bytes();
    int from = piece.from();
    int to = piece.to();
    if (piece.record() instanceof SessionRecord.Entry record && !record.utf8()) {
      bytes =
          new String(bytes, from, to - from, StandardCharsets.UTF_8)
              .getBytes(StandardCharsets.UTF_8);
      from = 0;
      to = bytes.length;
    }
    try {
      Leaf.each(bytes, from, to, leaf -> leaf(leaf, piece.line(), entry));
      return true;
    } catch (JacksonException e) {
      return false;
    }
  }

  private void leaf(Leaf leaf, long line, String entry) {
    if (leaf.isBinary()) {
      binaryStrings++;
      binaryBytes += leaf.to() - leaf.from();
      return;
    }
    strings++;
    String text = leaf.text();
    if (leaf.isName()) {
      if (plain.contains(text)) {
        return; // names come again and again
      }
      if (plain.size() < 10_000 && text.length() < 100) {
        plain.add(text);
      }
    }
    tell(text, leaf.owner(), line, entry, leaf.pointer(), leaf.isName());
  }

  private void raw(SessionReader piece) {
    rawPieces++;
    String text =
        new String(piece.bytes(), piece.from(), piece.sizeBytes(), StandardCharsets.UTF_8);
    tell(text, null, piece.line(), "", "", false);
  }

  private void tell(
      String text,
      @Nullable String owner,
      long line,
      String entry,
      String pointer,
      boolean inName) {
    String place = session + ":" + (entry.isEmpty() ? "line " + line : entry) + ":" + pointer;
    List<LeafScan.Hit> hits = leaves.find(text, owner, place);
    for (LeafScan.Hit hit : hits) {
      sightings++;
      String secret = text.substring(hit.from(), hit.to());
      plain.remove(text);
      found.accept(
          new Sighting(
              line,
              entry,
              pointer,
              inName,
              hit.rule(),
              Sighting.excerpt(hit.seen(), secret),
              secret.length(),
              place + ":" + hit.rule()),
          secret);
    }
  }
}
