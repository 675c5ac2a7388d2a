// SPDX-License-Identifier: Apache-2.0
package dev.varve.history;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

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

  /// The session's own transcript.
  public HistoryFile main() {
    return files.getFirst();
  }
}
