// SPDX-License-Identifier: Apache-2.0
package dev.varve.history.rows;

import dev.varve.history.FileStamp;
import dev.varve.history.FolderContents;
import dev.varve.history.HistoryFile;
import dev.varve.history.HistoryFile.Kind;
import dev.varve.history.HistorySource;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A part of the rows of a session, as lines.
///
/// @param rows writes the lines
/// @param stamp as it was when the database was listed
public record SessionRows(RowWriter rows, FileStamp stamp) implements HistorySource {

  /// The stamp of rows that other sessions change without a change of this one.
  public static final FileStamp NEVER_CHANGED = new FileStamp(0, 0, 0, 0, 0);

  /// Writes the rows that a database has now.
  @FunctionalInterface
  public interface RowWriter {
    void write(OutputStream out) throws IOException;
  }

  /// A part of a session that rows of a database are.
  public static HistoryFile part(Path database, String slot, FileStamp stamp, RowWriter rows) {
    SessionRows source = new SessionRows(rows, stamp);
    return new HistoryFile(slot, FolderContents.name(database), database, Kind.ROWS, source);
  }

  /// Writes the lines into a file that is deleted when the stream is closed: a session may be
  /// larger than the heap.
  @Override
  public InputStream open() throws IOException {
    Path lines = Files.createTempFile("varve-rows", ".jsonl");
    try {
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(lines))) {
        rows.write(out);
      }
      return Files.newInputStream(lines, StandardOpenOption.DELETE_ON_CLOSE);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(lines);
      throw e;
    }
  }
}
