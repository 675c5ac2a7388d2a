// SPDX-License-Identifier: Apache-2.0
package dev.varve.doctor;

import dev.varve.pi.EntryId;
import dev.varve.pi.SessionReader;
import dev.varve.pi.SessionRecord;
import dev.varve.pi.SessionSlice;
import dev.varve.session.EntryFacts;
import dev.varve.session.EntryReader;
import dev.varve.session.EntryTable;
import dev.varve.session.Kind;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// One reading of a file, from front to back, that finds what is wrong with each piece; then a look
/// at the tree that the entries make.
public final class Examination {

  /// Bytes that are no record, until it is known what follows them on their line.
  private record Torn(
      long line, long offset, int sizeBytes, boolean zeros, boolean lineFeed, String why) {}

  private final Path file;
  private final EntryReader again;
  private final EntryTable entries = new EntryTable();
  private final Findings findings = new Findings();
  private final RepairPlan plan = new RepairPlan();
  private final References references = new References();

  private SessionRecord.@Nullable Header header;
  private byte[] headerBytes = new byte[0];
  private @Nullable Torn torn;
  private boolean otherRecordFirst;
  private long lineOfLastRecord;
  private boolean lineFeedAtEnd = true;
  private long linesWithCarriageReturn;
  private int repeatedFrom = -1;
  private int repeatedCount;
  private long unknown;
  private String unknownType = "";

  private Examination(Path file, EntryReader again) {
    this.file = file;
    this.again = again;
  }

  /// Reads a file and says what is wrong with it.
  ///
  /// @param cwd the folder a made header is to name; null to guess
  /// @param progress is told, now and then, how many bytes were read
  /// @throws dev.varve.StoreException.Io if the file cannot be read
  public static Diagnosis of(Path file, @Nullable String cwd, LongConsumer progress) {
    try (SessionReader pieces = SessionReader.open(file, progress);
        EntryReader again = EntryReader.open(file)) {
      Examination examination = new Examination(file, again);
      while (pieces.next()) {
        examination.piece(pieces);
      }
      examination.end(pieces, cwd);
      return new Diagnosis(
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
    tellTorn(piece);
    if (piece.to() > piece.from() && piece.bytes()[piece.to() - 1] == '\r') {
      linesWithCarriageReturn++;
    }
    lineFeedAtEnd = piece.lineFeed();
    switch (piece.record()) {
      case SessionRecord.Header found ->
          header(found, piece.line(), piece.offset(), bytes(piece), piece.sizeBytes());
      case SessionRecord.Entry entry -> entry(entry, piece);
      case SessionRecord.Damaged(String why) -> damaged(why, piece);
      case SessionRecord.Foreign _ -> {
        otherRecordFirst |= header == null;
        add(Ailment.FOREIGN, piece, "");
      }
      case SessionRecord.Blank _ -> {}
    }
  }

  private void add(Ailment ailment, SessionReader piece, String detail) {
    findings.add(ailment, piece.line(), piece.offset(), piece.sizeBytes(), detail);
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
            findings.add(Ailment.BYTE_ORDER_MARK, 1, 0, 3, "");
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
      findings.add(Ailment.SECOND_HEADER, line, offset, sizeBytes, detail);
      return;
    }
    header = found;
    headerBytes = bytes;
    plan.header(offset, sizeBytes);
    if (otherRecordFirst) {
      findings.add(Ailment.HEADER_NOT_FIRST, line, offset, sizeBytes, "");
    }
    if (found.version() == 1 || found.version() == 2) {
      findings.add(Ailment.OLD_VERSION, line, offset, sizeBytes, "version " + found.version());
    } else if (found.version() != 3) {
      findings.add(Ailment.NEW_VERSION, line, offset, sizeBytes, "version " + found.version());
    }
  }

  private void entry(SessionRecord.Entry entry, SessionReader piece) {
    if (lineOfLastRecord == piece.line() && piece.column() > 0) {
      add(Ailment.LINE_FEED_MISSING, piece, name(entry));
    }
    lineOfLastRecord = piece.line();
    otherRecordFirst |= header == null;
    if (!entry.utf8()) {
      add(Ailment.NOT_UTF8, piece, name(entry));
    }
    if (!piece.whole()) {
      add(Ailment.TOO_LONG, piece, name(entry));
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
    if (former >= 0) {
      sameId(entry, former, piece);
    } else {
      endRepetition();
      references.take(facts, piece.line(), piece.offset(), piece.sizeBytes());
    }
    if (facts.kind() == Kind.UNKNOWN && unknown++ == 0) {
      unknownType = entry.type();
    }
  }

  private static String name(SessionRecord.Entry entry) {
    return "entry " + entry.id();
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
        Ailment.SAME_ID,
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
          Ailment.REPEATED,
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
  private void tellTorn(@Nullable SessionReader next) {
    Torn bytes = torn;
    if (bytes == null) {
      return;
    }
    torn = null;
    boolean glued =
        next != null && next.line() == bytes.line() && next.record() instanceof SessionRecord.Entry;
    Ailment ailment =
        bytes.zeros()
            ? Ailment.ZEROS
            : glued
                ? Ailment.GLUED
                : next == null && !bytes.lineFeed() ? Ailment.TORN_TAIL : Ailment.NOT_JSON;
    String detail =
        glued && next != null && next.record() instanceof SessionRecord.Entry entry
            ? name(entry) + " stands behind it"
            : bytes.zeros() ? "" : cutOff(bytes.why());
    findings.add(ailment, bytes.line(), bytes.offset(), bytes.sizeBytes(), detail);
  }

  private static String cutOff(String why) {
    return why.startsWith("Unexpected end-of-input") ? "it is cut off" : why;
  }

  private void end(SessionReader pieces, @Nullable String cwd) {
    boolean endsTorn = torn != null;
    tellTorn(null);
    endRepetition();
    if (pieces.readBytes() == 0) {
      findings.add(Ailment.EMPTY, "");
      return;
    }
    if (header == null && entries.count() == 0) {
      findings.add(Ailment.NOT_A_SESSION, "");
      return;
    }
    if (!lineFeedAtEnd && !endsTorn) {
      long end = pieces.readBytes();
      findings.add(Ailment.NO_LINE_FEED_AT_END, pieces.line(), end, 0, "");
    }
    if (header == null) {
      String made = MadeHeader.of(file, cwd, pieces.hash(), entries, again);
      plan.makeHeader(made);
      findings.add(Ailment.NO_HEADER, "a repair would write " + made);
    }
    if (linesWithCarriageReturn > 0) {
      findings.add(Ailment.CARRIAGE_RETURNS, linesWithCarriageReturn + " lines");
    }
    if (unknown > 0) {
      findings.add(Ailment.UNKNOWN_TYPE, unknown + ", the first of type '" + unknownType + "'");
    }
    if (header != null && MadeHeader.namedDifferently(file, header.id())) {
      findings.add(Ailment.NAME_DIFFERS, "its header says " + header.id());
    }
    entries.resolve(header == null || header.version() == 1);
    references.tell(entries, findings);
    new TreeExamination(file, header, entries, again, findings, plan).run();
  }
}
