// SPDX-License-Identifier: Apache-2.0
package dev.varve.secrets;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.hash.Blake3;
import dev.varve.pi.NewFile;
import dev.varve.pi.SessionReader;
import dev.varve.pi.SessionRecord;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import tools.jackson.core.JacksonException;

/// Writes a copy of a session in which every credential that the rules see is replaced.
///
/// Strings are taken decoded, and only those that hold a credential are written anew; all other
/// bytes of a line stay: ids, parents, numbers, the order of fields. The header names the original
/// by its hash, in a field `redactedFrom` that Pi passes over. Lines that are no JSON cannot be
/// looked through and are left out. Before the copy appears it is looked through again, and for
/// every credential that was met; if anything is left there is no copy.
public final class Redaction {

  private static final byte[] LINE_FEED = {'\n'};

  /// The field of a header that names the session it was made from.
  public static final String ORIGIN = "redactedFrom";

  /// Which session the copy says it was forked from.
  public sealed interface Parent {

    /// The one that the original names.
    record AsWritten() implements Parent {}

    /// Another: a redacted copy of it.
    record In(Path file) implements Parent {}

    /// None: what the original names is not at hand, or not to be told.
    record None() implements Parent {}
  }

  private final KnownSecrets known;
  private final RedactedText redacted;
  private final BlobHash original;
  private final Parent parent;
  private final NewFile copy;
  private final Blake3 hasher = new Blake3();
  private String session = "";
  private boolean headed;
  private long places;
  private long leftOutBytes;

  private Redaction(
      RuleSet rules,
      AllowList allowed,
      KnownSecrets known,
      BlobHash original,
      Parent parent,
      NewFile copy) {
    this.parent = parent;
    this.known = known;
    this.redacted = new RedactedText(new LeafScan(rules, allowed), known);
    this.original = original;
    this.copy = copy;
  }

  /// Redacts a session file.
  ///
  /// @param progress is told, now and then, how many bytes of one of its three readings are done
  /// @return once the copy survives a power cut
  /// @throws StoreException.Conflict if there is a file already, if the session changed while it
  ///   was read, or if the copy still holds a credential
  /// @throws StoreException.Invalid if it is no session, or has a line too long to be decoded
  public static RedactionReport write(
      Path file, Path target, RuleSet rules, AllowList allowed, LongConsumer progress) {
    return write(file, target, new Parent.AsWritten(), rules, allowed, progress);
  }

  /// Redacts a session file whose copy is to name another parent.
  public static RedactionReport write(
      Path file,
      Path target,
      Parent parent,
      RuleSet rules,
      AllowList allowed,
      LongConsumer progress) {
    KnownSecrets known = new KnownSecrets();
    SessionScan.run(
        file, rules, allowed, (sighting, secret) -> known.mark(secret, sighting.rule()), progress);
    long sizeBytes;
    BlobHash original;
    try (SessionReader pieces = SessionReader.open(file, progress)) {
      while (pieces.next()) {
        if (!pieces.whole()) {
          throw new StoreException.Invalid(
              file.toString(), "line " + pieces.line() + " is too long to be decoded");
        }
      }
      sizeBytes = pieces.readBytes();
      original = pieces.hash();
    }
    try (NewFile copy = NewFile.at(target)) {
      Redaction redaction = new Redaction(rules, allowed, known, original, parent, copy);
      redaction.run(file, sizeBytes, progress);
      ScanReport scan = redaction.look(target, rules, allowed, progress);
      copy.appear();
      return new RedactionReport(
          target,
          original,
          redaction.hasher.digest(),
          redaction.hasher.sizeBytes(),
          known.count(),
          redaction.places,
          redaction.leftOutBytes,
          scan);
    }
  }

  private void run(Path file, long sizeBytes, LongConsumer progress) {
    try (SessionReader pieces = SessionReader.open(file, sizeBytes, progress)) {
      while (pieces.next()) {
        piece(pieces);
      }
      if (!pieces.hash().equals(original)) {
        throw new StoreException.Conflict(
            file.toString(), "the bytes that were looked through", "others");
      }
    }
    if (!headed) {
      throw new StoreException.Invalid(file.toString(), "has no header; 'doctor' can make one");
    }
  }

  private void piece(SessionReader piece) {
    switch (piece.record()) {
      case SessionRecord.Header header -> {
        session = session.isEmpty() ? header.id() : session;
        json(piece, "line " + piece.line(), true, !headed);
        headed = true;
      }
      case SessionRecord.Entry entry ->
          json(
              piece, entry.id() == null ? "line " + piece.line() : entry.id(), entry.utf8(), false);
      case SessionRecord.Foreign _ -> json(piece, "line " + piece.line(), true, false);
      case SessionRecord.Blank _ -> {}
      case SessionRecord.Damaged _ -> leftOutBytes += piece.sizeBytes();
    }
  }

  private void json(SessionReader piece, String entry, boolean utf8, boolean names) {
    byte[] bytes = piece.bytes();
    int from = piece.from();
    int to = piece.to();
    if (!utf8) { // as Pi reads it
      bytes =
          new String(bytes, from, to - from, StandardCharsets.UTF_8)
              .getBytes(StandardCharsets.UTF_8);
      from = 0;
      to = bytes.length;
    }
    Line line = new Line(bytes, from);
    try {
      Leaf.each(bytes, from, to, leaf -> leaf(leaf, entry, names, line));
    } catch (JacksonException e) {
      leftOutBytes += piece.sizeBytes();
      return;
    }
    line.end(names ? lastBrace(bytes, to) : to);
    if (names) {
      line.add((",\"" + ORIGIN + "\":\"" + original + "\"}").getBytes(StandardCharsets.UTF_8));
    }
    write(line.out.toByteArray());
    write(LINE_FEED);
  }

  private static int lastBrace(byte[] bytes, int to) {
    int at = to - 1;
    while (bytes[at] != '}') {
      at--;
    }
    return at;
  }

  /// A line in the making.
  private static final class Line {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final byte[] bytes;
    private int done;

    Line(byte[] bytes, int from) {
      this.bytes = bytes;
      this.done = from;
    }

    void replace(int from, int to, byte[] by) {
      end(from);
      add(by);
      done = to;
    }

    void end(int to) {
      out.write(bytes, done, to - done);
      done = to;
    }

    void add(byte[] more) {
      out.writeBytes(more);
    }
  }

  private void leaf(Leaf leaf, String entry, boolean header, Line line) {
    if (leaf.isBinary()) {
      return;
    }
    boolean parents =
        leaf.pointer().equals("/parentSession") || leaf.pointer().equals("/branchedFrom");
    if (header && parents && !leaf.isName()) {
      switch (parent) {
        case Parent.AsWritten _ -> {}
        case Parent.In(Path file) -> {
          line.replace(leaf.from(), leaf.to(), JsonText.encode(file.toString()));
          return;
        }
        case Parent.None _ -> {
          byte[] none = "null".getBytes(StandardCharsets.UTF_8);
          line.replace(leaf.from() - 1, leaf.to() + 1, none); // with its quotes
          return;
        }
      }
    }
    String text = leaf.text();
    String clean = redacted.of(text, leaf.owner(), session + ":" + entry + ":" + leaf.pointer());
    if (!clean.equals(text)) {
      places++;
      line.replace(leaf.from(), leaf.to(), JsonText.encode(clean));
    }
  }

  private void write(byte[] bytes) {
    copy.write(bytes, 0, bytes.length);
    hasher.update(bytes, 0, bytes.length);
  }

  private ScanReport look(Path target, RuleSet rules, AllowList allowed, LongConsumer progress) {
    ScanReport scan = SessionScan.of(copy.draft(), rules, allowed, _ -> {}, progress);
    if (scan.sightings() > 0 || scan.rawPieces() > 0 || known(progress) > 0) {
      throw new StoreException.Conflict(
          target.toString(), "no credential to be left", scan.sightings() + " that the rules see");
    }
    return scan;
  }

  /// How many strings of the copy hold a credential that was met anywhere.
  private long known(LongConsumer progress) {
    long[] found = new long[1];
    try (SessionReader pieces = SessionReader.open(copy.draft(), progress)) {
      while (pieces.next()) {
        if (pieces.record() instanceof SessionRecord.Blank) {
          continue;
        }
        Leaf.each(
            pieces.bytes(),
            pieces.from(),
            pieces.to(),
            leaf -> found[0] += leaf.isBinary() || known.find(leaf.text()).isEmpty() ? 0 : 1);
      }
    }
    return found[0];
  }
}
