// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi;

import dev.varve.Payload;
import dev.varve.Store;
import dev.varve.TurnId;
import dev.varve.pi.ImportReport.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The import of one session file.
///
/// Everything is written in an order in which each step may be the last: turns, the manifest, the
/// contexts of the leaves, and at the end what the manifest's context is about, which makes the
/// import count. The next import finds what is there and goes on.
final class SessionImport {

  /// A header further down is found too, but not at a glance.
  private static final int HEADER_LINES = 16;

  private static final int ID_MAX = 256;
  private static final int PATH_MAX = 4096;

  private final Store store;
  private final ImportListener listener;
  private final Path file;
  private final String fileName;
  private final int lineBytesMax;
  private final int keptBytesMax;
  private final Problems problems = new Problems();
  private final Branches branches = new Branches();
  private final Contexts contexts;

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
    this.contexts = new Contexts(store, branches);
  }

  ImportReport run() throws IOException {
    long sizeBytes = Files.size(file); // what a running Pi adds from now on is for the next import
    Optional<ImportReport> known = glance(sizeBytes);
    if (known.isPresent()) {
      return known.get();
    }
    Survey survey;
    try (Lines lines = open(sizeBytes, -1, 0)) {
      survey = Survey.of(lines);
    }
    SessionKey key = survey.key(fileName);
    Shelf shelf = Shelf.find(store, key).orElseGet(() -> Shelf.create(store, key));
    PiAbout.Whole newest = shelf.newest();
    if (newest != null && newest.tells(survey.sizeBytes(), survey.hash())) {
      return unchanged(shelf, newest);
    }
    if (newest != null) {
      newest.contexts().forEach(contexts::expect);
    }
    long mark = newest == null ? -1 : newest.sizeBytes();
    try (Lines lines = open(survey.sizeBytes(), mark, survey.sizeBytes())) {
      return write(survey, shelf, lines);
    }
  }

  private Lines open(long sizeBytes, long mark, long doneBytes) throws IOException {
    return new Lines(
        Files.newInputStream(file),
        sizeBytes,
        lineBytesMax,
        mark,
        read -> listener.reading(file, doneBytes + read, 2 * sizeBytes));
  }

  /// Most files of a folder are as they were: that is seen from their size and hash, without
  /// reading each line.
  private Optional<ImportReport> glance(long sizeBytes) throws IOException {
    try (Lines lines = open(sizeBytes, -1, 0)) {
      SessionRecord.Header header = header(lines);
      Shelf shelf =
          header == null
              ? null
              : Shelf.find(store, SessionKey.headed(header, fileName)).orElse(null);
      PiAbout.Whole newest = shelf == null ? null : shelf.newest();
      if (shelf == null || newest == null || newest.sizeBytes() != sizeBytes) {
        return Optional.empty();
      }
      while (lines.next()) {
        // to the end, for the hash
      }
      return newest.tells(lines.sizeBytes(), lines.hash())
          ? Optional.of(unchanged(shelf, newest))
          : Optional.empty();
    }
  }

  private static SessionRecord.@Nullable Header header(Lines lines) throws IOException {
    while (lines.number() < HEADER_LINES && lines.next()) {
      if (lines.whole()
          && RecordParser.line(lines.buffer(), lines.from(), lines.to())
              instanceof SessionRecord.Header header) {
        return header;
      }
    }
    return null;
  }

  private ImportReport write(Survey survey, Shelf shelf, Lines lines) throws IOException {
    Segments segments = new Segments(store, keptBytesMax);
    EntryTurns turns = new EntryTurns(store, shelf.context(), survey, branches, problems);
    SessionReading reading = new SessionReading(survey, turns, segments, problems);
    reading.read(lines);
    // From here on only what was read now counts, should the file have been written anew since the
    // survey.
    Payload manifest =
        Manifest.of(lines.sizeBytes(), lines.hash(), segments.stream(), store).payload();
    TurnId onShelf = shelf.find(manifest).orElse(null);
    if (onShelf != null && shelf.lists(onShelf)) {
      return report(Outcome.OLDER, survey, shelf, onShelf, lines, reading, turns);
    }
    PiAbout.Whole known = shelf.newest();
    TurnId turn = onShelf == null ? shelf.add(manifest) : onShelf;
    PiAbout.Whole about = about(survey, turn, lines, turns);
    if (known != null && isBeginningOf(known, lines)) {
      shelf.slipUnder(known, about);
      return report(Outcome.OLDER, survey, shelf, turn, lines, reading, turns);
    }
    TurnId former = known == null ? null : known.manifest();
    shelf.put(about.withContexts(contexts.settle(about.session(), shelf.context(), former)));
    return report(outcome(known, lines), survey, shelf, turn, lines, reading, turns);
  }

  /// Whether the file is one that the newest version once was. Importing a backup must not take a
  /// session back.
  private boolean isBeginningOf(PiAbout.Whole known, Lines lines) {
    if (lines.sizeBytes() >= known.sizeBytes()) {
      return false;
    }
    Manifest newest = Manifest.get(store, known.manifest());
    return SessionBytes.hashOfFirst(lines.sizeBytes(), store, newest).equals(lines.hash());
  }

  private static Outcome outcome(PiAbout.@Nullable Whole known, Lines lines) {
    if (known == null) {
      return Outcome.NEW;
    }
    return lines.beginsWith(known.hash()) ? Outcome.GROWN : Outcome.REWRITTEN;
  }

  private PiAbout.Session session(Survey survey) {
    SessionRecord.Header header = survey.header();
    return header == null
        ? new PiAbout.Session("", fileName, "", survey.title())
        : new PiAbout.Session(
            clip(header.id(), ID_MAX), fileName, clip(header.cwd(), PATH_MAX), survey.title());
  }

  private PiAbout.Whole about(Survey survey, TurnId manifest, Lines lines, EntryTurns turns) {
    SessionRecord.Header header = survey.header();
    return new PiAbout.Whole(
        session(survey),
        manifest,
        lines.sizeBytes(),
        lines.hash(),
        turns.added() + turns.shared(),
        header == null ? "" : clip(header.timestamp(), ID_MAX),
        header == null ? "" : clip(header.parentSession(), PATH_MAX),
        List.of(),
        null);
  }

  private static String clip(@Nullable String text, int max) {
    return text == null ? "" : text.substring(0, Math.min(text.length(), max));
  }

  private ImportReport unchanged(Shelf shelf, PiAbout.Whole known) {
    return new ImportReport(
        file,
        Outcome.UNCHANGED,
        known.session().id(),
        known.session().title(),
        shelf.context(),
        known.manifest(),
        known.sizeBytes(),
        0,
        0,
        known.entries(),
        0,
        0,
        0,
        0,
        known.contexts(),
        0,
        List.of());
  }

  private ImportReport report(
      Outcome outcome,
      Survey survey,
      Shelf shelf,
      TurnId manifest,
      Lines lines,
      SessionReading reading,
      EntryTurns turns) {
    return new ImportReport(
        file,
        outcome,
        session(survey).id(),
        survey.title(),
        shelf.context(),
        manifest,
        lines.sizeBytes(),
        reading.lines(),
        turns.added(),
        turns.shared(),
        turns.repeated(),
        contexts.added(),
        contexts.advanced(),
        reading.linesVerbatim(),
        contexts.all(),
        problems.count(),
        problems.first());
  }
}
