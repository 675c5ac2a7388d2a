// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.store;

import dev.varve.Encoding;
import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.TurnId;
import dev.varve.files.RegularFile;
import dev.varve.imports.ContextChanges;
import dev.varve.imports.ImportListener;
import dev.varve.imports.ImportReport;
import dev.varve.imports.ImportReport.Outcome;
import dev.varve.imports.LeafContexts;
import dev.varve.imports.LineReader;
import dev.varve.imports.ManifestPlace;
import dev.varve.imports.ProblemList;
import dev.varve.imports.ProblemSummary;
import dev.varve.imports.RecordCounts;
import dev.varve.imports.SourceFormat;
import dev.varve.imports.TurnPlacement;
import dev.varve.pi.session.RecordParser;
import dev.varve.pi.session.SessionKey;
import dev.varve.pi.session.SessionRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The import of one session file.
///
/// Everything is written in an order in which each step may be the last: turns, the manifest, the
/// contexts of the leaves, and at the end the `about` of the manifest's context, which makes the
/// import count. The next import finds what is there and goes on.
final class SessionImport {

  /// A header further down is found by the first pass, but not at a glance.
  private static final int HEADER_LINES = 16;

  private static final int ID_MAX = 256;
  private static final int PATH_MAX = 4096;

  private final Store store;
  private final ImportListener listener;
  private final Path file;
  private final String fileName;
  private final int lineBytesMax;
  private final int keptBytesMax;
  private final ProblemList problems = new ProblemList();
  private final LeafContexts leaves;

  /// @param lineBytesMax a longer line is no entry
  /// @param keptBytesMax the largest blob for bytes that are no entry
  SessionImport(
      Store store, ImportListener listener, Path file, int lineBytesMax, int keptBytesMax) {
    this.store = store;
    this.listener = listener;
    this.file = file;
    this.fileName = String.valueOf(file.getFileName());
    this.lineBytesMax = lineBytesMax;
    this.keptBytesMax = keptBytesMax;
    this.leaves = new LeafContexts(store);
  }

  ImportReport run() throws IOException {
    SourceFormat.PI.demandNoOther(file);
    long sizeBytes = Files.size(file); // a running Pi adds more, which is for the next import
    Optional<ImportReport> known = glance(sizeBytes);
    if (known.isPresent()) {
      return known.get();
    }
    FirstPass firstPass;
    try (LineReader lines = open(sizeBytes, -1, 0)) {
      firstPass = FirstPass.of(lines);
    }
    if (!firstPass.understood()) {
      throw SourceFormat.PI.refusal(
          file, firstPass.sizeBytes() == 0 ? "an empty file" : "no header and no entry");
    }
    SessionVersions versions = SessionVersions.findOrCreate(store, firstPass.key(fileName));
    PiAbout.Whole newest = versions.newest();
    if (newest != null && newest.version().is(firstPass.sizeBytes(), firstPass.hash())) {
      return unchanged(versions, newest);
    }
    if (newest != null) {
      leaves.expect(newest.contexts());
    }
    long mark = newest == null ? -1 : newest.version().sizeBytes();
    try (LineReader lines = open(firstPass.sizeBytes(), mark, firstPass.sizeBytes())) {
      return write(firstPass, versions, lines);
    }
  }

  private LineReader open(long sizeBytes, long mark, long doneBytes) throws IOException {
    return new LineReader(
        RegularFile.read(file),
        sizeBytes,
        lineBytesMax,
        mark,
        read -> listener.reading(file, doneBytes + read, 2 * sizeBytes));
  }

  /// Finds from size and hash, without reading each line, that a file is as it was: most files of a
  /// folder are.
  private Optional<ImportReport> glance(long sizeBytes) throws IOException {
    try (LineReader lines = open(sizeBytes, -1, 0)) {
      SessionRecord.Header header = header(lines);
      SessionVersions versions =
          header == null
              ? null
              : SessionVersions.find(store, SessionKey.headed(header, fileName)).orElse(null);
      PiAbout.Whole newest = versions == null ? null : versions.newest();
      if (versions == null || newest == null || newest.version().sizeBytes() != sizeBytes) {
        return Optional.empty();
      }
      while (lines.next()) {
        // to the end, for the hash
      }
      return newest.version().is(lines.sizeBytes(), lines.hash())
          ? Optional.of(unchanged(versions, newest))
          : Optional.empty();
    }
  }

  private static SessionRecord.@Nullable Header header(LineReader lines) throws IOException {
    while (lines.number() < HEADER_LINES && lines.next()) {
      if (lines.whole()
          && RecordParser.line(lines.buffer(), lines.from(), lines.to())
              instanceof SessionRecord.Header header) {
        return header;
      }
    }
    return null;
  }

  private ImportReport write(FirstPass firstPass, SessionVersions versions, LineReader lines)
      throws IOException {
    SegmentList segments = new SegmentList(store, keptBytesMax);
    TurnPlacement placement = new TurnPlacement(store, versions.context().id(), leaves);
    EntryTurns turns = new EntryTurns(store, placement, firstPass, problems);
    SecondPass secondPass = new SecondPass(firstPass, turns, segments, problems);
    secondPass.read(lines);
    // From here on only the second pass counts: the file may have been written anew since the
    // first.
    Payload manifest =
        SessionManifest.of(lines.sizeBytes(), lines.hash(), segments.stream(), store).payload();
    RecordCounts records = secondPass.counts(placement);
    Reporting reporting = new Reporting(firstPass, versions, lines.sizeBytes(), records);
    Optional<TurnId> there = versions.context().find(manifest);
    if (there.isPresent() && versions.contains(there.get())) {
      return reporting.report(Outcome.OLDER, there.get(), knownContexts(versions));
    }
    TurnId turn = versions.context().add(manifest, SessionManifest.TYPE, Encoding.RAW);
    PiAbout.Whole known = versions.newest();
    PiAbout.Whole about =
        about(firstPass, new PiAbout.FileVersion(turn, lines.sizeBytes(), lines.hash()), records);
    if (known != null && isBeginningOf(known, lines)) {
      versions.addOlder(known, about);
      return reporting.report(Outcome.OLDER, turn, knownContexts(versions));
    }
    ContextChanges settled =
        leaves.settle(
            new SessionAbouts(
                about.session(), versions.context().id(), known == null ? null : known.manifest()));
    versions.add(about.withContexts(settled.all()));
    return reporting.report(outcome(known, lines), turn, settled);
  }

  private static ContextChanges knownContexts(SessionVersions versions) {
    PiAbout.Whole newest = versions.newest();
    return newest == null ? ContextChanges.NONE : ContextChanges.unchanged(newest.contexts());
  }

  /// True if the file is an earlier state of the newest version. Importing a backup must not take a
  /// session back.
  private boolean isBeginningOf(PiAbout.Whole known, LineReader lines) {
    if (lines.sizeBytes() >= known.version().sizeBytes()) {
      return false;
    }
    SessionManifest newest = SessionManifest.get(store, known.manifest());
    return SessionContent.hashOfFirst(lines.sizeBytes(), store, newest).equals(lines.hash());
  }

  private static Outcome outcome(PiAbout.@Nullable Whole known, LineReader lines) {
    if (known == null) {
      return Outcome.NEW;
    }
    return lines.beginsWith(known.version().hash()) ? Outcome.GROWN : Outcome.REWRITTEN;
  }

  private PiAbout.Session session(FirstPass firstPass) {
    SessionRecord.Header header = firstPass.header();
    return header == null
        ? new PiAbout.Session("", fileName, "", firstPass.title())
        : new PiAbout.Session(
            clip(header.id(), ID_MAX), fileName, clip(header.cwd(), PATH_MAX), firstPass.title());
  }

  private PiAbout.Whole about(
      FirstPass firstPass, PiAbout.FileVersion version, RecordCounts records) {
    SessionRecord.Header header = firstPass.header();
    return new PiAbout.Whole(
        session(firstPass),
        version,
        records.turns(),
        header == null ? "" : clip(header.timestamp(), ID_MAX),
        header == null ? "" : clip(header.parentSession(), PATH_MAX),
        List.of(),
        null);
  }

  private static String clip(@Nullable String text, int max) {
    return text == null ? "" : text.substring(0, Math.min(text.length(), max));
  }

  private ImportReport unchanged(SessionVersions versions, PiAbout.Whole known) {
    return new ImportReport(
        file,
        Outcome.UNCHANGED,
        known.session().id(),
        known.session().title(),
        known.version().sizeBytes(),
        new ManifestPlace(versions.context().id(), known.manifest()),
        RecordCounts.unchanged(known.entries()),
        ContextChanges.unchanged(known.contexts()),
        ProblemSummary.NONE);
  }

  /// The parts of the report that do not depend on the outcome.
  private final class Reporting {
    private final FirstPass firstPass;
    private final SessionVersions versions;
    private final long sizeBytes;
    private final RecordCounts records;

    Reporting(FirstPass firstPass, SessionVersions versions, long sizeBytes, RecordCounts records) {
      this.firstPass = firstPass;
      this.versions = versions;
      this.sizeBytes = sizeBytes;
      this.records = records;
    }

    ImportReport report(Outcome outcome, TurnId manifest, ContextChanges contexts) {
      return new ImportReport(
          file,
          outcome,
          session(firstPass).id(),
          firstPass.title(),
          sizeBytes,
          new ManifestPlace(versions.context().id(), manifest),
          records,
          contexts,
          problems.summary());
    }
  }
}
