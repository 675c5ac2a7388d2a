// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.Store;
import dev.varve.hash.Blake3;
import dev.varve.history.bytes.LineArchive;
import dev.varve.history.bytes.StoredContent;
import dev.varve.history.marks.FileMark;
import dev.varve.history.marks.LinesMark;
import dev.varve.history.marks.MarkDraft;
import dev.varve.history.marks.SessionMarks;
import dev.varve.history.marks.TranscriptMark;
import dev.varve.imports.CountedFile;
import dev.varve.imports.ImportListener;
import dev.varve.imports.LineReader;
import dev.varve.imports.SpotHashes;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Archives a session whose transcripts went on behind the marks of the last import: of such a
/// transcript the new lines are read, and of files that did not change nothing.
///
/// The bytes before a mark are not all read each time: of a large file only some are compared
/// ([SpotHashes]), until [SessionMarks#TRUSTED_FOR] after all of them were read. The archived bytes
/// are then *joined*, and are compared as a whole later.
final class GrownSession {

  /// The bytes before the mark of a smaller file are all compared.
  static final int COMPARED_BYTES = 8 << 20;

  /// The most bytes behind a mark. More are read as a whole file is.
  static final int TAIL_BYTES_MAX = 16 << 20;

  /// New lines of a transcript.
  ///
  /// @param mark the place from which they go on
  /// @param before the file's mark of the last import
  /// @param tail the bytes of the lines; nobody changes them
  @SuppressWarnings("ArrayRecordComponent") // nobody compares these
  record NewLines(String slot, TranscriptMark mark, FileMark before, byte[] tail) {

    LineReader read() {
      Blake3 hasher = Blake3.restoreState(mark.behind().hasher().unsafeArray());
      return new LineReader(
              new ByteArrayInputStream(tail),
              tail.length,
              ViewDerivation.LINE_BYTES_MAX,
              -1,
              _ -> {})
          .behind(hasher, mark.behind().lines());
    }
  }

  private final Store store;
  private final HistoryProfile profile;
  private final SessionMarks marks;
  private final HistoryManifest known;
  private final SessionArchive archive;
  private final boolean whole;
  private final MarkDraft draft;
  private final List<NewLines> lines = new ArrayList<>();
  private final Instant now;

  /// @param known the newest version
  /// @param marks of the newest version
  GrownSession(
      Store store, HistoryProfile profile, HistoryManifest known, SessionMarks marks, Instant now) {
    this.store = store;
    this.profile = profile;
    this.known = known;
    this.marks = marks;
    this.now = now;
    this.archive = new SessionArchive(store, profile, ImportListener.NONE, known);
    this.whole = !SessionMarks.isTrusted(marks.wholeAtUnixMs(), now);
    this.draft = new MarkDraft(whole ? now.toEpochMilli() : marks.wholeAtUnixMs());
  }

  /// Archives the files. The manifest that is returned is not in the store yet.
  ///
  /// @param stamps of the files, by their slots, taken before
  /// @return empty if the session has to be read as a whole
  Optional<HistoryManifest> write(SessionFiles session, Map<String, FileStamp> stamps)
      throws IOException {
    Map<String, FileMark> bySlot = marks.bySlot();
    List<ArchivedFile> files = new ArrayList<>();
    Set<String> slots = new HashSet<>();
    for (HistoryFile file : session.files()) {
      FileStamp stamp = stamps.get(file.slot());
      if (stamp == null || !slots.add(file.slot())) {
        continue;
      }
      ArchivedFile before = known.find(file.slot()).orElse(null);
      FileMark mark = bySlot.get(file.slot());
      Optional<ArchivedFile> now = file(file, stamp, before, mark);
      if (now.isEmpty()) {
        return Optional.empty();
      }
      files.add(now.get());
    }
    for (ArchivedFile file : known.files()) {
      if (slots.add(file.slot())) {
        files.add(file);
        FileMark mark = bySlot.get(file.slot());
        if (mark != null) {
          draft.add(mark, null);
        }
      }
    }
    return Optional.of(
        new HistoryManifest(profile.agent(), session.key(), session.home().toString(), files));
  }

  private Optional<ArchivedFile> file(
      HistoryFile file, FileStamp stamp, @Nullable ArchivedFile before, @Nullable FileMark mark)
      throws IOException {
    if (before != null && mark != null && isSame(file, stamp, before, mark)) {
      draft.add(mark, null);
      return Optional.of(before);
    }
    return switch (file.kind()) {
      case TRANSCRIPT ->
          before == null || mark == null || !before.name().equals(file.name())
              ? Optional.empty()
              : transcript(file, stamp, before, mark);
      case ATTACHMENT, PROJECT -> {
        draft.add(
            FileMark.of(file.slot(), stamp.text(), stamp.inode(), stamp.isSettled(now)), null);
        yield Optional.of(archive.archived(file, stamp));
      }
      case PACKED_TRANSCRIPT, DOCUMENT, ROWS, DESCRIPTION, SHARED -> Optional.empty();
    };
  }

  private boolean isSame(HistoryFile file, FileStamp stamp, ArchivedFile before, FileMark mark) {
    return mark.settled()
        && !(whole && mark.joined())
        && mark.stamp().equals(stamp.text())
        && before.name().equals(file.name())
        && before.kind() == file.kind();
  }

  private Optional<ArchivedFile> transcript(
      HistoryFile file, FileStamp stamp, ArchivedFile before, FileMark mark) throws IOException {
    StoredContent was = before.content();
    long size = stamp.sizeBytes() - was.sizeBytes();
    if (mark.transcript() == null
        || mark.inode() != stamp.inode()
        || size < 0
        || size > TAIL_BYTES_MAX) {
      return Optional.empty();
    }
    Optional<TranscriptMark> behind =
        TranscriptMark.find(store, mark.transcript())
            .filter(found -> found.hasher(was.hash()).isPresent());
    if (behind.isEmpty()) {
      return Optional.empty();
    }
    boolean all = whole || was.sizeBytes() <= COMPARED_BYTES;
    byte[] tail;
    SpotHashes spots;
    try (CountedFile bytes = file.source().file().orElse(null)) {
      if (bytes == null || !begins(bytes, was, behind.get(), all)) {
        return Optional.empty();
      }
      tail = bytes.read(was.sizeBytes(), (int) size);
      spots = SpotHashes.of(bytes, stamp.sizeBytes());
      if (!behind.get().behind().spots().hold(bytes, was.sizeBytes())) {
        return Optional.empty(); // written anew meanwhile
      }
    } catch (EOFException | NoSuchFileException e) {
      return Optional.empty(); // cut or deleted this moment
    }
    boolean joined = !all && (mark.joined() || size > 0);
    FileMark seen = mark.seen(stamp.text(), stamp.isSettled(now), joined);
    NewLines added = new NewLines(file.slot(), behind.get(), mark, tail);
    StoredContent content = was;
    if (size == 0) {
      draft.add(seen, null);
    } else {
      try (LineReader reader = added.read()) {
        content = LineArchive.behind(store, profile.elided(), was).write(reader);
        draft.add(seen, reader.ended() ? LinesMark.behind(reader, spots) : null);
      }
      lines.add(added);
    }
    return Optional.of(
        new ArchivedFile(
            file.slot(), file.name(), file.kind(), stamp.modifiedNs(), stamp.mode(), content));
  }

  private static boolean begins(
      CountedFile bytes, StoredContent was, TranscriptMark mark, boolean all) throws IOException {
    if (!all) {
      return mark.behind().spots().hold(bytes, was.sizeBytes());
    }
    Blake3 hasher = new Blake3();
    bytes.hash(0, was.sizeBytes(), hasher, _ -> {});
    return hasher.digest().equals(was.hash());
  }

  /// The new lines of all transcripts that went on.
  List<NewLines> lines() {
    return lines;
  }

  /// The marks of the files as they are now.
  MarkDraft draft() {
    return draft;
  }

  /// The marks of the last import.
  SessionMarks marks() {
    return marks;
  }
}
