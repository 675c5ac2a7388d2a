// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

import dev.varve.imports.SourceFormat;
import dev.varve.pi.session.EntryFacts;
import dev.varve.pi.session.EntryId;
import dev.varve.pi.session.EntryKind;
import dev.varve.pi.session.EntryReader;
import dev.varve.pi.session.EntryTable;
import dev.varve.pi.session.SessionReader;
import dev.varve.pi.session.SessionRecord;
import dev.varve.pi.session.SessionSlice;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// One reading of a file, from front to back, that finds what is wrong with each piece; then a look
/// at the tree that the entries make.
public final class FileExamination {

  /// Bytes that are no record, until it is known what follows them on their line.
  private record Torn(
      long line, long offset, int sizeBytes, boolean zeros, boolean lineFeed, String why) {}

  /// The error that a clock may have without being reported.
  private static final Duration CLOCK_ERROR_MAX = Duration.ofDays(1);

  private final Path file;
  private final Instant latest;
  private final EntryReader again;
  private final EntryTable entries = new EntryTable();
  private final ProblemPlaces findings = new ProblemPlaces();
  private final RepairPlan plan = new RepairPlan();
  private final EntryTimes times = new EntryTimes();
  private final EntryReferences references = new EntryReferences();

  private SessionRecord.@Nullable Header header;
  private byte[] headerBytes = new byte[0];
  private @Nullable Torn torn;
  private boolean otherRecordFirst;
  private long lineOfLastRecord;
  private boolean lineFeedAtEnd = true;
  private long linesWithCarriageReturn;
  private int repeatedFrom = -1;
  private int repeatedCount;
  private @Nullable LongLineCheck longLine;
  private long longLineOffset;
  private long unknown;
  private String unknownType = "";

  private FileExamination(Path file, Instant now, EntryReader again) {
    this.latest = now.plus(CLOCK_ERROR_MAX);
    this.file = file;
    this.again = again;
  }

  /// Reads a file and says what is wrong with it.
  ///
  /// @param cwd the folder a made header is to name; null to guess
  /// @param now the present time: later times in the file are reported
  /// @param progress receives, now and then, the number of bytes that were read
  /// @throws dev.varve.StoreException.Invalid if the file is another agent's, by its first bytes
  /// @throws dev.varve.StoreException.Io if the file cannot be read
  public static SessionDiagnosis of(
      Path file, @Nullable String cwd, Instant now, LongConsumer progress) {
    try (SessionReader pieces = SessionReader.open(file, progress);
        EntryReader again = EntryReader.open(file)) {
      SourceFormat.PI.demandNoOther(file);
      FileExamination examination = new FileExamination(file, now, again);
      while (pieces.next()) {
        examination.piece(pieces);
      }
      examination.end(pieces, cwd);
      return new SessionDiagnosis(
          file,
          pieces.readBytes(),
          pieces.hash(),
          examination.entries.count(),
          examination.findings.counts(),
          examination.findings.kept(),
          examination.plan);
    }
  }

  private void piece(SessionReader piece) {
    if (piece.offset() == 0 && byteOrderMark(piece)) {
      return;
    }
    if (goesOn(piece)) {
      return;
    }
    reportTorn(piece);
    if (piece.to() > piece.from() && piece.bytes()[piece.to() - 1] == '\r') {
      linesWithCarriageReturn++;
    }
    lineFeedAtEnd = piece.lineFeed();
    switch (piece.record()) {
      case SessionRecord.Header found -> {
        header(found, piece.line(), piece.offset(), bytes(piece), piece.sizeBytes());
        time(found.timestamp(), found.createdAt(), piece);
      }
      case SessionRecord.Entry entry -> entry(entry, piece);
      case SessionRecord.Damaged(String why) -> damaged(why, piece);
      case SessionRecord.Foreign _ -> {
        otherRecordFirst |= header == null;
        add(SessionProblem.FOREIGN, piece, "");
      }
      case SessionRecord.Blank _ -> {}
    }
  }

  /// Takes the rest of a line that is too long to be held.
  private boolean goesOn(SessionReader piece) {
    LongLineCheck line = longLine;
    boolean rest = line != null && !piece.whole() && piece.line() == lineOfLastRecord;
    if (line == null || !rest) {
      endLongLine();
      return false;
    }
    line.add(piece.bytes(), piece.from(), piece.to());
    lineFeedAtEnd = piece.lineFeed();
    return true;
  }

  private void endLongLine() {
    if (longLine != null && !longLine.passed()) {
      findings.add(SessionProblem.LONG_LINE_DAMAGED, lineOfLastRecord, longLineOffset, 0, "");
    }
    longLine = null;
  }

  private void add(SessionProblem problem, SessionReader piece, String detail) {
    findings.add(problem, piece.line(), piece.offset(), piece.sizeBytes(), detail);
  }

  private static byte[] bytes(SessionReader piece) {
    return Arrays.copyOfRange(piece.bytes(), piece.from(), piece.to());
  }

  /// A mark is looked for where nothing else may stand.
  private boolean byteOrderMark(SessionReader piece) {
    byte[] bytes = piece.bytes();
    int from = piece.from();
    boolean mark =
        piece.sizeBytes() > 3
            && bytes[from] == (byte) 0xEF
            && bytes[from + 1] == (byte) 0xBB
            && bytes[from + 2] == (byte) 0xBF;
    if (!mark) {
      return false;
    }
    boolean[] headed = new boolean[1];
    SessionSlice.pieces(
        bytes,
        from + 3,
        piece.to(),
        (record, _, _) -> {
          if (record instanceof SessionRecord.Header found) {
            byte[] line = Arrays.copyOfRange(bytes, from + 3, piece.to());
            findings.add(SessionProblem.BYTE_ORDER_MARK, 1, 0, 3, "");
            header(found, 1, 3, line, line.length);
            headed[0] = true;
          }
        });
    return headed[0];
  }

  private void header(
      SessionRecord.Header found, long line, long offset, byte[] bytes, int sizeBytes) {
    lineOfLastRecord = line;
    if (header != null) {
      String detail = Arrays.equals(bytes, headerBytes) ? "the same again" : "of " + found.id();
      findings.add(SessionProblem.SECOND_HEADER, line, offset, sizeBytes, detail);
      return;
    }
    header = found;
    headerBytes = bytes;
    plan.header(offset, sizeBytes);
    if (otherRecordFirst) {
      findings.add(SessionProblem.HEADER_NOT_FIRST, line, offset, sizeBytes, "");
    }
    if (found.version() == 1 || found.version() == 2) {
      findings.add(
          SessionProblem.OLD_VERSION, line, offset, sizeBytes, "version " + found.version());
    } else if (found.version() != 3) {
      findings.add(
          SessionProblem.NEW_VERSION, line, offset, sizeBytes, "version " + found.version());
    }
  }

  private void entry(SessionRecord.Entry entry, SessionReader piece) {
    if (lineOfLastRecord == piece.line() && piece.column() > 0) {
      add(SessionProblem.LINE_FEED_MISSING, piece, name(entry));
    }
    lineOfLastRecord = piece.line();
    otherRecordFirst |= header == null;
    if (!entry.utf8()) {
      add(SessionProblem.NOT_UTF8, piece, name(entry));
    }
    if (!piece.whole()) {
      add(SessionProblem.TOO_LONG, piece, name(entry));
      longLine = new LongLineCheck();
      longLine.add(piece.bytes(), piece.from(), piece.to());
      longLineOffset = piece.offset();
    }
    EntryFacts facts = EntryFacts.of(entry.type(), piece.bytes(), piece.from(), piece.to());
    int former =
        entries.add(
            entry.id() == null ? null : EntryId.of(entry.id()),
            entry.parentId() == null ? null : EntryId.of(entry.parentId()),
            piece.line(),
            piece.offset(),
            piece.sizeBytes(),
            facts);
    times.add(entry.createdAt(), facts.startedAtUnixMs());
    time(entry.timestamp(), entry.createdAt(), piece);
    if (entry.id() == null && header != null && header.version() != 1) {
      noId(entry, facts, piece);
    }
    if (former >= 0) {
      sameId(entry, former, piece);
    } else {
      endRepetition();
      references.take(facts, piece.line(), piece.offset(), piece.sizeBytes());
    }
    if (facts.kind() == EntryKind.UNKNOWN && unknown++ == 0) {
      unknownType = entry.type();
    }
  }

  /// Reports an entry that nothing can follow. A message in the conversation gets an id.
  private void noId(SessionRecord.Entry entry, EntryFacts facts, SessionReader piece) {
    add(SessionProblem.NO_ID, piece, name(entry));
    int own = entries.count() - 1;
    boolean message = entry.type().equals("message") && entry.parentNamed() && piece.whole();
    if (message && facts.kind() != EntryKind.OTHER_MESSAGE) {
      plan.id(own, NewId.of("", own, entries));
    } else {
      plan.leaveOut(own);
    }
  }

  private void time(@Nullable String written, Optional<Instant> read, SessionReader piece) {
    if (read.isEmpty()) {
      add(SessionProblem.NO_TIME, piece, written == null ? "" : "'" + written + "'");
    } else if (read.get().isAfter(latest)) {
      add(SessionProblem.TIME_AHEAD, piece, String.valueOf(written));
    }
  }

  private static String name(SessionRecord.Entry entry) {
    return entry.id() == null ? "type '" + entry.type() + "'" : "entry " + entry.id();
  }

  private void sameId(SessionRecord.Entry entry, int former, SessionReader piece) {
    int own = entries.count() - 1;
    byte[] before =
        entries.sizeBytes(former) == piece.sizeBytes() && piece.whole()
            ? again.bytes(entries.offset(former), entries.sizeBytes(former))
            : new byte[0];
    if (before.length > 0
        && Arrays.equals(before, 0, before.length, piece.bytes(), piece.from(), piece.to())) {
      entries.prefer(former);
      plan.leaveOut(own);
      repeatedFrom = repeatedCount == 0 ? own : repeatedFrom;
      repeatedCount++;
      return;
    }
    endRepetition();
    findings.add(
        SessionProblem.SAME_ID,
        entries.line(former),
        entries.offset(former),
        entries.sizeBytes(former),
        name(entry) + ", and again in line " + piece.line());
    plan.id(former, NewId.of(entry.id() == null ? "" : entry.id(), former, entries));
  }

  private void endRepetition() {
    if (repeatedCount > 0) {
      int last = repeatedFrom + repeatedCount - 1;
      long offset = entries.offset(repeatedFrom);
      findings.add(
          SessionProblem.REPEATED,
          entries.line(repeatedFrom),
          offset,
          entries.offset(last) + entries.sizeBytes(last) - offset,
          repeatedCount + (repeatedCount == 1 ? " entry" : " entries"));
      repeatedCount = 0;
    }
  }

  private void damaged(String why, SessionReader piece) {
    torn =
        new Torn(
            piece.line(),
            piece.offset(),
            piece.sizeBytes(),
            zeros(piece),
            piece.lineFeed(),
            piece.whole() ? why : "too long a line, and not the beginning of an entry");
  }

  /// Zeros, perhaps with the end of a record behind them.
  private static boolean zeros(SessionReader piece) {
    int at = piece.from();
    while (at < piece.to() && piece.bytes()[at] == 0) {
      at++;
    }
    return at - piece.from() >= Math.max(1, piece.sizeBytes() / 2);
  }

  /// @param next what follows; null at the end of the file
  private void reportTorn(@Nullable SessionReader next) {
    Torn bytes = torn;
    if (bytes == null) {
      return;
    }
    torn = null;
    boolean glued =
        next != null && next.line() == bytes.line() && next.record() instanceof SessionRecord.Entry;
    SessionProblem problem =
        bytes.zeros()
            ? SessionProblem.ZEROS
            : glued
                ? SessionProblem.GLUED
                : next == null && !bytes.lineFeed()
                    ? SessionProblem.TORN_TAIL
                    : SessionProblem.NOT_JSON;
    String detail =
        glued && next != null && next.record() instanceof SessionRecord.Entry entry
            ? name(entry) + " stands behind it"
            : bytes.zeros() ? "" : cutOff(bytes.why());
    findings.add(problem, bytes.line(), bytes.offset(), bytes.sizeBytes(), detail);
  }

  private static String cutOff(String why) {
    return why.startsWith("Unexpected end-of-input") ? "it is cut off" : why;
  }

  private void end(SessionReader pieces, @Nullable String cwd) {
    endLongLine();
    boolean endsTorn = torn != null;
    reportTorn(null);
    endRepetition();
    if (pieces.readBytes() == 0) {
      findings.add(SessionProblem.EMPTY, "");
      return;
    }
    if (header == null && entries.count() == 0) {
      findings.add(SessionProblem.NOT_A_SESSION, "");
      return;
    }
    if (!lineFeedAtEnd && !endsTorn) {
      long end = pieces.readBytes();
      findings.add(SessionProblem.NO_LINE_FEED_AT_END, pieces.line(), end, 0, "");
    }
    if (header == null) {
      String made = RebuiltHeader.of(file, cwd, pieces.hash(), entries, again);
      plan.makeHeader(made);
      findings.add(SessionProblem.NO_HEADER, "a repair would write " + made);
    }
    if (linesWithCarriageReturn > 0) {
      findings.add(SessionProblem.CARRIAGE_RETURNS, linesWithCarriageReturn + " lines");
    }
    if (unknown > 0) {
      findings.add(
          SessionProblem.UNKNOWN_TYPE, unknown + ", the first of type '" + unknownType + "'");
    }
    if (header != null && RebuiltHeader.namedDifferently(file, header.id())) {
      findings.add(SessionProblem.NAME_DIFFERS, "its header says " + header.id());
    }
    entries.resolve(header == null || header.version() == 1);
    references.report(entries, findings);
    new WriterExamination(entries, times, plan, findings).run();
    new TreeExamination(file, header, entries, again, findings, plan).run();
  }
}
