// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.BlobHash;
import dev.varve.Store;
import dev.varve.history.HistoryFile.Kind;
import dev.varve.history.bytes.ArchivedLines;
import dev.varve.history.bytes.FreshLines;
import dev.varve.history.bytes.LineArchive;
import dev.varve.history.bytes.StoredContent;
import dev.varve.history.marks.LinesMark;
import dev.varve.imports.CountedFile;
import dev.varve.imports.ImportListener;
import dev.varve.imports.LineReader;
import dev.varve.imports.SpotHashes;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Archives the bytes of a session's files.
///
/// Nothing is ever taken out of a session: a file that its agent deleted stays in the manifest, and
/// a file that is a beginning of what is archived changes nothing.
final class SessionArchive {

  /// The change of a file since it was archived last.
  enum FileChange {
    /// The bytes are the same.
    NONE,
    /// The file begins with what was archived, or is new.
    GROWN,
    /// The bytes are others. What was archived stays in the version before.
    REWRITTEN,
    /// The file is a beginning of what is archived.
    OLDER
  }

  private final Store store;
  private final HistoryProfile profile;
  private final ImportListener listener;
  private final @Nullable HistoryManifest known;

  private final FreshLines fresh = new FreshLines();
  private final Map<String, LinesMark> behind = new HashMap<>();

  private FileChange change = FileChange.NONE;

  /// @param known the newest version, or null
  SessionArchive(
      Store store,
      HistoryProfile profile,
      ImportListener listener,
      @Nullable HistoryManifest known) {
    this.store = store;
    this.profile = profile;
    this.listener = listener;
    this.known = known;
  }

  /// Archives the files. The manifest that is returned is not in the store yet.
  ///
  /// @param stamps of the files, by their slots, taken before
  HistoryManifest write(SessionFiles session, Map<String, FileStamp> stamps) throws IOException {
    List<ArchivedFile> files = new ArrayList<>();
    Set<String> slots = new HashSet<>();
    for (HistoryFile file : session.files()) {
      FileStamp stamp = stamps.get(file.slot());
      if (stamp != null && slots.add(file.slot())) {
        files.add(file.kind() == Kind.SHARED ? shared(file, stamp) : archived(file, stamp));
      }
    }
    if (known != null) {
      known.files().stream().filter(file -> slots.add(file.slot())).forEach(files::add);
    }
    return new HistoryManifest(profile.agent(), session.key(), session.home().toString(), files);
  }

  /// The place behind the lines of a transcript that was read; null if nothing can go on from
  /// there.
  @Nullable LinesMark behind(String slot) {
    return behind.get(slot);
  }

  /// The lines that were archived.
  FreshLines fresh() {
    return fresh;
  }

  /// The change of all files since the version before.
  FileChange change() {
    return change;
  }

  /// The file as it was, unless the session has changed. It stands behind the session's own files.
  private ArchivedFile shared(HistoryFile file, FileStamp stamp) throws IOException {
    ArchivedFile before = known == null ? null : known.find(file.slot()).orElse(null);
    FileChange own = change;
    ArchivedFile now = before == null || own != FileChange.NONE ? archived(file, stamp) : before;
    change = own;
    return now;
  }

  /// Archives a file as a whole.
  ArchivedFile archived(HistoryFile file, FileStamp stamp) throws IOException {
    ArchivedFile before = known == null ? null : known.find(file.slot()).orElse(null);
    StoredContent was = before == null ? null : before.content();
    StoredContent content;
    FileChange here;
    try {
      if (file.kind().hasTurns()) {
        long mark = was == null ? -1 : was.sizeBytes();
        SpotHashes spots = spots(file, stamp);
        try (LineReader lines = lines(file, stamp, mark)) {
          content = new LineArchive(store, profile.elided(), fresh).write(lines);
          here = was == null ? FileChange.GROWN : change(file, was, content, lines);
          if (spots != null && lines.ended() && content.sizeBytes() == stamp.sizeBytes()) {
            behind.put(file.slot(), LinesMark.behind(lines, spots));
          }
        }
      } else {
        try (InputStream in = file.open()) {
          BlobHash hash = store.put(in, null);
          content = new StoredContent(store.sizeBytes(hash), hash, null, null, null);
        }
        here = was == null ? FileChange.GROWN : change(was, content);
      }
    } catch (NoSuchFileException e) {
      if (before != null && !file.slot().equals(HistoryFile.MAIN)) {
        return before; // the agent deleted the file this moment
      }
      throw e;
    }
    if (here == FileChange.OLDER && before != null) {
      behind.remove(file.slot());
      note(here);
      return before;
    }
    note(here);
    if (file.kind() == Kind.PACKED_TRANSCRIPT) {
      try (InputStream in = file.source().open()) {
        content = content.packedIn(store.put(in, null));
      }
    }
    return new ArchivedFile(
        file.slot(), file.name(), file.kind(), stamp.modifiedNs(), stamp.mode(), content);
  }

  /// Null if the file may not be read in parts.
  private @Nullable SpotHashes spots(HistoryFile file, FileStamp stamp) throws IOException {
    if (!profile.appendsOnly() || file.kind() != Kind.TRANSCRIPT) {
      return null;
    }
    try (CountedFile bytes = file.source().file().orElse(null)) {
      return bytes == null ? null : SpotHashes.of(bytes, stamp.sizeBytes());
    } catch (EOFException e) {
      return null; // cut this moment
    }
  }

  private LineReader lines(HistoryFile file, FileStamp stamp, long mark) throws IOException {
    boolean asStamped = file.kind() == Kind.TRANSCRIPT;
    LineReader lines =
        new LineReader(
            file.open(),
            asStamped ? stamp.sizeBytes() : Long.MAX_VALUE,
            ViewDerivation.LINE_BYTES_MAX,
            mark,
            read -> listener.reading(file.path(), read, Math.max(read, stamp.sizeBytes())));
    return file.kind().records(lines);
  }

  private FileChange change(
      HistoryFile file, StoredContent was, StoredContent now, LineReader lines) throws IOException {
    if (was.isSameAs(now)) {
      return FileChange.NONE;
    }
    if (now.sizeBytes() > was.sizeBytes()) {
      return lines.beginsWith(was.hash()) ? FileChange.GROWN : FileChange.REWRITTEN;
    }
    return hashOfFirst(file, now.sizeBytes(), was).equals(now.hash())
        ? FileChange.OLDER
        : FileChange.REWRITTEN;
  }

  private BlobHash hashOfFirst(HistoryFile file, long sizeBytes, StoredContent content)
      throws IOException {
    try (LineReader lines =
        file.kind()
            .records(
                ArchivedLines.lines(store, content, sizeBytes, ViewDerivation.LINE_BYTES_MAX))) {
      while (lines.next()) {
        // to the end, for the hash
      }
      return lines.hash();
    }
  }

  private static FileChange change(StoredContent was, StoredContent now) {
    return was.isSameAs(now) ? FileChange.NONE : FileChange.GROWN;
  }

  /// A rewritten file counts for the session before a grown one does, and a grown one before one
  /// that is older.
  private void note(FileChange here) {
    if (rank(here) > rank(change)) {
      change = here;
    }
  }

  private static int rank(FileChange change) {
    return switch (change) {
      case NONE -> 0;
      case OLDER -> 1;
      case GROWN -> 2;
      case REWRITTEN -> 3;
    };
  }
}
