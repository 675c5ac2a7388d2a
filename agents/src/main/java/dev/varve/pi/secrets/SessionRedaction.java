// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.secrets;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.files.FileDraft;
import dev.varve.files.WholeFile;
import dev.varve.hash.Blake3;
import dev.varve.imports.StrictJson;
import dev.varve.pi.session.SessionReader;
import dev.varve.pi.session.SessionRecord;
import dev.varve.secrets.AllowList;
import dev.varve.secrets.JsonRedaction;
import dev.varve.secrets.KnownSecrets;
import dev.varve.secrets.RuleSet;
import dev.varve.secrets.ScanReport;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

/// Writes a copy of a session in which every credential that the rules see is replaced.
///
/// Strings are taken decoded, and only those that hold a credential are written anew; all other
/// bytes of a line stay: ids, parents, numbers, the order of fields. The header names the original
/// by its hash, in a field `redactedFrom` that Pi passes over. Lines that are no JSON cannot be
/// looked through and are left out. Before the copy appears it is looked through again, and for
/// every credential that was met; if anything is left there is no copy.
public final class SessionRedaction {

  private static final byte[] LINE_FEED = {'\n'};

  /// The fields of a header that name the parent, in today's format and in an older one.
  private static final Set<String> PARENT_POINTERS = Set.of("/parentSession", "/branchedFrom");

  /// The field of a header that names the session it was made from.
  public static final String ORIGIN = "redactedFrom";

  /// Which session the copy says it was forked from.
  public sealed interface Parent {

    /// The one that the original names.
    record AsWritten() implements Parent {}

    /// Another: a redacted copy of it.
    record In(Path file) implements Parent {}

    /// No parent: the parent of the original is not at hand, or must not be named.
    record None() implements Parent {}
  }

  private final JsonRedaction documents;
  private final BlobHash original;
  private final Parent parent;
  private final FileDraft copy;
  private final Blake3 hasher = new Blake3();
  private String session = "";
  private boolean headed;
  private long leftOutBytes;

  private SessionRedaction(
      RuleSet rules,
      AllowList allowed,
      KnownSecrets known,
      BlobHash original,
      Parent parent,
      FileDraft copy) {
    this.parent = parent;
    this.documents = new JsonRedaction(rules, allowed, known, new PiIdentifiers());
    this.original = original;
    this.copy = copy;
  }

  /// Redacts a session file.
  ///
  /// @param progress receives, now and then, the number of bytes done in one of three readings
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
    return write(file, target, false, parent, rules, allowed, progress);
  }

  /// Redacts a session file into a folder, where the copy is named by the hash of its bytes:
  /// `HASH.jsonl`. A file of this name is replaced, by the same bytes.
  public static RedactionReport writeByHash(
      Path file,
      Path folder,
      Parent parent,
      RuleSet rules,
      AllowList allowed,
      LongConsumer progress) {
    Path target = folder.resolve("HASH.jsonl");
    return write(file, target, true, parent, rules, allowed, progress);
  }

  private static RedactionReport write(
      Path file,
      Path target,
      boolean byHash,
      Parent parent,
      RuleSet rules,
      AllowList allowed,
      LongConsumer progress) {
    KnownSecrets known = new KnownSecrets();
    SessionScan.run(
        file, rules, allowed, (finding, secret) -> known.mark(secret, finding.rule()), progress);
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
    WholeFile place = WholeFile.at(target);
    try (FileDraft copy = byHash ? place.draft() : place.newDraft()) {
      SessionRedaction redaction =
          new SessionRedaction(rules, allowed, known, original, parent, copy);
      redaction.run(file, sizeBytes, progress);
      ScanReport scan = redaction.look(target, rules, allowed, progress);
      BlobHash hash = redaction.hasher.digest();
      Path written = byHash ? target.resolveSibling(hash + ".jsonl") : target;
      if (byHash) {
        copy.replace(written.getFileName().toString());
      } else {
        copy.claim();
      }
      return new RedactionReport(
          written,
          original,
          hash,
          redaction.hasher.sizeBytes(),
          known.count(),
          redaction.documents.places(),
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
        json(piece, !headed);
        headed = true;
      }
      case SessionRecord.Entry _, SessionRecord.Foreign _ -> json(piece, false);
      case SessionRecord.Blank _ -> {}
      case SessionRecord.Damaged _ -> leftOutBytes += piece.sizeBytes();
    }
  }

  private void json(SessionReader piece, boolean header) {
    PieceText text = PieceText.of(piece);
    Optional<byte[]> redacted =
        documents.copy(
            text.bytes(),
            text.from(),
            text.to(),
            PieceText.place(session, piece),
            header ? this::newParent : JsonRedaction.Substitute.NONE);
    if (redacted.isEmpty()) {
      leftOutBytes += piece.sizeBytes();
      return;
    }
    write(header ? withOrigin(redacted.get()) : redacted.get());
    write(LINE_FEED);
  }

  /// The value of a header's field if the field names the parent and the copy is to name another.
  private Optional<byte[]> newParent(String pointer) {
    if (!PARENT_POINTERS.contains(pointer)) {
      return Optional.empty();
    }
    return switch (parent) {
      case Parent.AsWritten _ -> Optional.empty();
      case Parent.In(Path file) ->
          Optional.of(StrictJson.write(json -> json.writeString(file.toString())));
      case Parent.None _ -> Optional.of("null".getBytes(StandardCharsets.UTF_8));
    };
  }

  private byte[] withOrigin(byte[] header) {
    int brace = header.length - 1;
    while (header[brace] != '}') {
      brace--;
    }
    byte[] origin = (",\"" + ORIGIN + "\":\"" + original + "\"}").getBytes(StandardCharsets.UTF_8);
    byte[] all = Arrays.copyOf(header, brace + origin.length);
    System.arraycopy(origin, 0, all, brace, origin.length);
    return all;
  }

  private void write(byte[] bytes) {
    copy.write(bytes, 0, bytes.length);
    hasher.update(bytes, 0, bytes.length);
  }

  private ScanReport look(Path target, RuleSet rules, AllowList allowed, LongConsumer progress) {
    Path draft = target.resolveSibling(copy.name());
    ScanReport scan = SessionScan.of(draft, rules, allowed, _ -> {}, progress);
    if (scan.findings() > 0 || scan.rawPieces() > 0 || countKnown(draft, progress) > 0) {
      throw new StoreException.Conflict(
          target.toString(), "no credential to be left", scan.findings() + " that the rules see");
    }
    return scan;
  }

  /// The number of strings of the copy that hold a credential of the original.
  private long countKnown(Path draft, LongConsumer progress) {
    long found = 0;
    try (SessionReader pieces = SessionReader.open(draft, progress)) {
      while (pieces.next()) {
        if (!(pieces.record() instanceof SessionRecord.Blank)) {
          found += documents.countKnown(pieces.bytes(), pieces.from(), pieces.to());
        }
      }
    }
    return found;
  }
}
