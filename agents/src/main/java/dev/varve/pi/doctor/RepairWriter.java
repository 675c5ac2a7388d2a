// SPDX-License-Identifier: Apache-2.0
package dev.varve.pi.doctor;

import dev.varve.BlobHash;
import dev.varve.StoreException;
import dev.varve.files.FileDraft;
import dev.varve.files.WholeFile;
import dev.varve.hash.Blake3;
import dev.varve.pi.session.EntryReader;
import dev.varve.pi.session.SessionReader;
import dev.varve.pi.session.SessionRecord;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;

/// Writes the repaired copy of a session and its journal.
///
/// Every byte of the original is in the copy or in the journal; before either appears, the original
/// is made again from both and compared by its hash.
public final class RepairWriter {

  /// The end of the names of journals.
  public static final String JOURNAL_SUFFIX = ".repair";

  private static final byte[] LINE_FEED = {'\n'};

  private final RepairPlan plan;
  private final FileDraft copy;
  private final RepairJournal journal;
  private final Blake3 hasher = new Blake3();
  private long headerAt;
  private boolean headerMet;
  private int next;
  private long entries;
  private long line;
  private boolean keepsLine;
  private boolean lineOpen;

  private RepairWriter(RepairPlan plan, FileDraft copy, RepairJournal journal) {
    this.plan = plan;
    this.copy = copy;
    this.journal = journal;
  }

  /// The place of the journal of a copy.
  public static Path journalOf(Path copy) {
    return copy.resolveSibling(copy.getFileName() + JOURNAL_SUFFIX);
  }

  /// Writes a copy of what was examined.
  ///
  /// @param progress receives, now and then, the number of bytes read
  /// @return once both files survive a power cut
  /// @throws StoreException.Conflict if a file stands where one is to go, or if the original was
  ///   changed since it was examined
  /// @throws StoreException.Invalid if there is nothing of which a copy could be made
  public static RepairReport write(SessionDiagnosis of, Path target, LongConsumer progress) {
    if (!of.repairable()) {
      throw new StoreException.Invalid(of.file().toString(), "holds nothing of a session");
    }
    Path journalPath = journalOf(target);
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw new StoreException.Conflict(target.toString(), "no file of this name", "a file");
    }
    try (FileDraft journalFile = WholeFile.at(journalPath).newDraft();
        FileDraft copy = WholeFile.at(target).newDraft()) {
      RepairJournal journal = new RepairJournal(journalFile, of);
      RepairWriter repair = new RepairWriter(of.plan(), copy, journal);
      BlobHash hash = repair.run(of, progress);
      OriginalFile.write(
          target.resolveSibling(copy.name()),
          journalPath.resolveSibling(journalFile.name()),
          _ -> {});
      journalFile.claim();
      copy.claim();
      return new RepairReport(
          target,
          journalPath,
          hash,
          repair.hasher.sizeBytes(),
          repair.entries,
          journal.leftOutBytes());
    }
  }

  private BlobHash run(SessionDiagnosis of, LongConsumer progress) {
    header(of);
    try (SessionReader pieces = SessionReader.open(of.file(), of.sizeBytes(), progress)) {
      while (pieces.next()) {
        piece(pieces);
      }
      if (!pieces.hash().equals(of.hash())) {
        throw new StoreException.Conflict(
            of.file().toString(), "the bytes that were examined", "others");
      }
    }
    if (lineOpen) {
      write(LINE_FEED, 0, 1);
    }
    BlobHash hash = hasher.digest();
    journal.end(hasher.sizeBytes(), hash);
    return hash;
  }

  private void header(SessionDiagnosis of) {
    byte[] line;
    if (plan.headerOffset() >= 0) {
      try (EntryReader reader = EntryReader.open(of.file())) {
        line = reader.bytes(plan.headerOffset(), plan.headerSizeBytes());
      }
    } else {
      line = String.valueOf(plan.madeHeader()).getBytes(StandardCharsets.UTF_8);
    }
    headerAt = hasher.sizeBytes();
    write(line, 0, line.length);
    write(LINE_FEED, 0, 1);
  }

  private void add(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    write(bytes, 0, bytes.length);
  }

  private void write(byte[] bytes, int from, int to) {
    copy.write(bytes, from, to);
    hasher.update(bytes, from, to - from);
  }

  private void piece(SessionReader piece) {
    boolean starts = piece.line() != line;
    line = piece.line();
    if (!headerMet && holdsHeader(piece)) {
      headerPiece(piece);
      return;
    }
    switch (piece.record()) {
      case SessionRecord.Entry record -> {
        int entry = next++;
        keepsLine = !plan.leavesOut(entry);
        if (keepsLine) {
          entries++;
          endLine();
          entry(entry, record.utf8(), piece);
        } else {
          leaveOut(piece, record.id() == null ? "no id" : "repeated");
        }
      }
      case SessionRecord.Blank _ -> keep(piece);
      case SessionRecord.Damaged _ -> {
        if (!piece.whole() && !starts && keepsLine) {
          keep(piece); // the rest of a long line
        } else {
          keepsLine = false;
          leaveOut(piece, "not JSON");
        }
      }
      case SessionRecord.Foreign _ -> leaveOut(piece, "no entry");
      case SessionRecord.Header _ -> leaveOut(piece, "another header");
    }
  }

  private boolean holdsHeader(SessionReader piece) {
    return plan.headerOffset() >= piece.offset()
        && plan.headerOffset() + plan.headerSizeBytes() == piece.offset() + piece.sizeBytes();
  }

  /// It stands in the copy already; a byte order mark may stand before it.
  private void headerPiece(SessionReader piece) {
    headerMet = true;
    int mark = (int) (plan.headerOffset() - piece.offset());
    if (mark > 0) {
      journal.leftOut(piece.bytes(), piece.from(), piece.from() + mark, "byte order mark");
    }
    journal.same(headerAt, plan.headerSizeBytes() + (piece.lineFeed() ? 1 : 0));
  }

  private void leaveOut(SessionReader piece, String why) {
    // Its line feed lies right behind it.
    journal.leftOut(piece.bytes(), piece.from(), piece.to() + (piece.lineFeed() ? 1 : 0), why);
  }

  private void entry(int entry, boolean utf8, SessionReader piece) {
    String id = plan.id(entry);
    boolean changes = id != null || plan.changesParent(entry);
    if (changes && !utf8) {
      // Where something in it is to be another, wrong bytes become what Pi reads them as.
      byte[] read =
          new String(piece.bytes(), piece.from(), piece.sizeBytes(), StandardCharsets.UTF_8)
              .getBytes(StandardCharsets.UTF_8);
      leaveOut(piece, "replaced");
      int from = 0;
      for (ValueSplice splice : splices(entry, read, 0, read.length)) {
        write(read, from, splice.from());
        add(splice.value());
        from = splice.to();
      }
      write(read, from, read.length);
      write(LINE_FEED, 0, 1);
      return;
    }
    int from = piece.from();
    if (changes) {
      for (ValueSplice splice : splices(entry, piece.bytes(), piece.from(), piece.to())) {
        same(piece.bytes(), from, splice.from());
        journal.leftOut(piece.bytes(), splice.from(), splice.to(), "replaced");
        add(splice.value());
        from = splice.to();
      }
    }
    rest(piece, from);
  }

  private List<ValueSplice> splices(int entry, byte[] bytes, int from, int to) {
    return ValueSplice.of(
        bytes, from, to, plan.id(entry), plan.changesParent(entry), plan.parent(entry));
  }

  /// Two records never share a line of the copy.
  private void endLine() {
    if (lineOpen) {
      write(LINE_FEED, 0, 1);
      lineOpen = false;
    }
  }

  private void keep(SessionReader piece) {
    rest(piece, piece.from());
  }

  private void rest(SessionReader piece, int from) {
    same(piece.bytes(), from, piece.to() + (piece.lineFeed() ? 1 : 0));
    lineOpen = !piece.lineFeed();
  }

  private void same(byte[] bytes, int from, int to) {
    if (to > from) {
      journal.same(hasher.sizeBytes(), to - from);
      write(bytes, from, to);
    }
  }
}
