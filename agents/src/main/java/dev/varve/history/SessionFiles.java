// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import dev.varve.StoreException;
import dev.varve.hash.Blake3;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The files of one session.
///
/// @param key identifies the session among all of its agent, on every computer
/// @param home the agent's folder, to which the names of the files are relative
/// @param files the session's own transcript first
public record SessionFiles(String key, Path home, List<HistoryFile> files) {

  public SessionFiles {
    files = List.copyOf(files);
    if (files.isEmpty() || !files.getFirst().slot().equals(HistoryFile.MAIN)) {
      throw new IllegalArgumentException("a session without its own transcript: " + key);
    }
  }

  /// A session that stands for a file whose sessions cannot be listed: the import of this session
  /// fails and says why, and the sessions of other files are imported.
  public static SessionFiles unlisted(Path file, StoreException.Io why) {
    Path absolute = file.toAbsolutePath().normalize();
    HistorySource source =
        new HistorySource() {
          @Override
          public FileStamp stamp() throws IOException {
            return FileStamp.of(absolute);
          }

          @Override
          public InputStream open() {
            throw new StoreException.Invalid(absolute.toString(), why.what());
          }
        };
    HistoryFile main =
        new HistoryFile(
            HistoryFile.MAIN,
            FolderContents.name(absolute),
            absolute,
            HistoryFile.Kind.ATTACHMENT,
            source);
    return new SessionFiles("path:" + absolute, FolderContents.parent(absolute), List.of(main));
  }

  /// The bytes of all files that are the session's own, as they are now. A file that was deleted
  /// this moment has none.
  ///
  /// @throws IOException if a file cannot be read
  public long sizeBytes() throws IOException {
    long size = 0;
    for (HistoryFile file : files) {
      try {
        size += file.kind() == HistoryFile.Kind.SHARED ? 0 : file.source().stamp().sizeBytes();
      } catch (NoSuchFileException e) {
        // deleted since the folder was listed
      }
    }
    return size;
  }

  /// The stamps of all files, as they are now.
  ///
  /// @throws NoSuchFileException if the session's own transcript is no longer there
  /// @throws IOException if a file cannot be read
  public Stamps stamps() throws IOException {
    Map<String, FileStamp> stamps = new HashMap<>();
    for (HistoryFile file : files) {
      try {
        stamps.put(file.slot(), file.source().stamp());
      } catch (NoSuchFileException e) {
        if (file.slot().equals(HistoryFile.MAIN)) {
          throw e;
        }
        // the agent deleted the file since the folder was listed
      }
    }
    return new Stamps(stamps, text(stamps));
  }

  private String text(Map<String, FileStamp> stamps) {
    StringBuilder text = new StringBuilder();
    for (HistoryFile file : files) {
      if (file.kind() == HistoryFile.Kind.SHARED) {
        continue;
      }
      FileStamp stamp = stamps.get(file.slot());
      text.append(file.name()).append('\0').append(stamp == null ? "" : stamp.text()).append('\n');
    }
    return Blake3.hash(text.toString().getBytes(StandardCharsets.UTF_8)).toString();
  }

  /// The properties of a session's files by which a change is noticed without reading them.
  ///
  /// @param bySlot the stamps of the files by their slots
  /// @param text the stamps of the session's own files as one text, for a comparison
  public record Stamps(Map<String, FileStamp> bySlot, String text) {

    public Stamps {
      bySlot = Map.copyOf(bySlot);
    }

    /// Decides whether a later change of any file would surely have another stamp.
    public boolean isSettled(Instant now) {
      return bySlot.values().stream().allMatch(stamp -> stamp.isSettled(now));
    }
  }

  /// The session's own transcript.
  public HistoryFile main() {
    return files.getFirst();
  }
}
